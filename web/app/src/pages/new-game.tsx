import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, type Refusal } from "../client";
import { load, save } from "../client/storage";
import { t } from "../i18n";
import { Picture } from "../parts/board";
import { Check, Choices, NumberField } from "../parts/choices";
import { useGame } from "../parts/games";
import { Show, Trouble, useLoaded, Waiting } from "../parts/loaded";
import { nameOf } from "../parts/option";
import { Page } from "../parts/page";
import { TimeChoice } from "../parts/time-choice";
import type { Game, GameSummary, NewMatch, Opponent, Side, TimeControl } from "../wire";
import { Faults, sizeText } from "./front";

const opponents = ["engine", "friend", "lobby", "self"] as const;
type OpponentKind = (typeof opponents)[number];
type SetupBy = "choose" | "random" | "engine" | "number";

export function NewGame() {
  const loaded = useLoaded(api.games);
  return (
    <Page title={t("new.title")} wide>
      <Show loaded={loaded}>{(games) => <Form games={games} />}</Show>
    </Page>
  );
}

function Form({ games }: { games: GameSummary[] }) {
  const { query, route } = useLocation();
  const playable = games.filter((game) => game.faults.length === 0);
  const last = load("last-level");
  const chosen = useSignal(playable.find((game) => game.id === query.game)?.id ?? playable[0]?.id ?? "");
  const opponent = useSignal<OpponentKind>(opponents.find((kind) => kind === query.opponent) ?? "engine");
  const level = useSignal(typeof last === "number" ? Math.min(10, Math.max(1, Math.round(last))) : 2);
  const side = useSignal<Side | "random">("white");
  const time = useSignal<TimeControl>({ kind: "none" });
  const options = useSignal<Record<string, string>>({});
  const hints = useSignal(true);
  const setupBy = useSignal<SetupBy>("random");
  const number = useSignal(1);
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const summary = useComputed(() => playable.find((game) => game.id === chosen.value)).value;
  const { value, error: trouble, again } = useGame(chosen.value);
  // What was chosen before stays until the answer is here.
  const game = value?.id === chosen.value ? value : undefined;

  if (!summary) return <p class="notice">{t("new.none")}</p>;

  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const match = await api.create(await wanted());
      if (opponent.value === "engine") save("last-level", level.value);
      if (match.invite) save(`invite.${match.match}`, match.invite);
      route(at(`/match/${match.match}`));
    } catch (problem) {
      setError(problem as Refusal);
      setBusy(false);
    }
  };

  const wanted = async (): Promise<NewMatch> => {
    const kind = opponent.value;
    const against: Opponent = kind === "engine" ? { kind, level: level.value } : { kind };
    let setup: string | null = null;
    if (game?.setup) setup = setupBy.value === "number" ? (await api.setup(game.id, number.value)).name : setupBy.value;
    return {
      game: { game: chosen.value, options: options.value },
      opponent: against,
      side: kind === "self" ? "white" : side.value,
      time: time.value,
      setup,
      hints: hints.value && (kind === "engine" || kind === "self"),
    };
  };

  return (
    <form class="two-columns" onSubmit={start}>
      <div class="beside">
        {game ? (
          <Preview game={game} number={setupBy.value === "number" && game.setup ? number.value : null} />
        ) : trouble ? (
          <Trouble error={trouble} again={again} />
        ) : (
          <Waiting />
        )}
      </div>
      <div>
        <div class="field">
          <label for="game">{t("new.game")}</label>
          <select
            id="game"
            value={chosen.value}
            onChange={(event) => {
              chosen.value = event.currentTarget.value;
              options.value = {};
              number.value = 1;
            }}
          >
            <GameGroup label={t("new.featured")} games={playable.filter((one) => one.featured)} />
            <GameGroup label={t("front.own")} games={playable.filter((one) => one.origin === "file")} />
            <GameGroup
              label={t("front.more")}
              games={playable.filter((one) => !one.featured && one.origin === "shipped")}
            />
          </select>
          <p class="help">
            {summary.summary} <a href={at(`/learn/${encodeURIComponent(summary.id)}`)}>{t("new.rules")}</a>
          </p>
        </div>
        {games
          .filter((one) => one.faults.length > 0)
          .map((one) => (
            <details key={one.id}>
              <summary>{t("new.faulty", { name: one.name || one.id })}</summary>
              <Faults game={one} />
            </details>
          ))}
        <Choices
          legend={t("new.opponent")}
          value={opponent.value}
          among={opponents.map((kind) => ({ value: kind, label: t(`new.${kind}`) }))}
          onChange={(kind) => {
            opponent.value = kind;
            if (kind !== "engine" && setupBy.value === "engine") setupBy.value = "choose";
            if (kind === "engine" && time.value.kind === "correspondence") time.value = { kind: "none" };
          }}
          help={t(`new.${opponent.value}.help`)}
        />
        {opponent.value === "engine" && (
          <div class="field">
            <label for="level">
              {t("new.level", { level: level.value })} <span class="muted">{t(levelWord(level.value))}</span>
            </label>
            <input
              id="level"
              type="range"
              min={1}
              max={10}
              value={level.value}
              onInput={(event) => {
                level.value = Number(event.currentTarget.value);
              }}
            />
          </div>
        )}
        {opponent.value !== "self" && (
          <Choices
            legend={t("new.side")}
            value={side.value}
            among={(["white", "black", "random"] as const).map((value) => ({ value, label: t(`new.side.${value}`) }))}
            onChange={(value) => {
              side.value = value;
            }}
          />
        )}
        {game?.setup && (
          <>
            <Choices
              legend={t("new.setup")}
              value={setupBy.value}
              among={(
                ["random", "choose", ...(opponent.value === "engine" ? (["engine"] as const) : []), "number"] as const
              ).map((value) => ({ value, label: t(`new.setup.${value}`) }))}
              onChange={(value) => {
                setupBy.value = value;
              }}
              help={t(`new.setup.${setupBy.value}.help`, { count: game.setup.count })}
            />
            {setupBy.value === "number" && (
              <div class="field">
                <NumberField
                  label={t("new.setup.which", { count: game.setup.count })}
                  value={number.value}
                  min={1}
                  max={game.setup.count}
                  onChange={(value) => {
                    number.value = Math.round(value);
                  }}
                />
              </div>
            )}
          </>
        )}
        <TimeChoice
          value={time.value}
          correspondence={opponent.value !== "engine" && opponent.value !== "self"}
          onChange={(value) => {
            time.value = value;
          }}
        />
        {game && game.options.length > 0 && (
          <details open={game.options.some((option) => option.name === "scoring")}>
            <summary>{t("new.options")}</summary>
            {game.options.map((option) => (
              <div class="field" key={option.name}>
                <label for={`option-${option.name}`}>{nameOf(option.name)}</label>
                <select
                  id={`option-${option.name}`}
                  value={options.value[option.name] ?? option.default}
                  onChange={(event) => {
                    const { [option.name]: _, ...others } = options.value;
                    const value = event.currentTarget.value;
                    options.value = value === option.default ? others : { ...others, [option.name]: value };
                  }}
                >
                  {option.values.map((value) => (
                    <option key={value} value={value}>
                      {nameOf(value)}
                    </option>
                  ))}
                </select>
                <p class="help">{option.help}</p>
              </div>
            ))}
          </details>
        )}
        {(opponent.value === "engine" || opponent.value === "self") && (
          <Check
            label={t("new.hints")}
            checked={hints.value}
            onChange={(checked) => {
              hints.value = checked;
            }}
          />
        )}
        {error && <Trouble error={error} />}
        <div class="start">
          <button type="submit" class="primary wide-button" disabled={busy || !game}>
            {t(`new.start.${opponent.value}`)}
          </button>
        </div>
      </div>
    </form>
  );
}

function GameGroup({ label, games }: { label: string; games: GameSummary[] }) {
  if (games.length === 0) return null;
  return (
    <optgroup label={label}>
      {games.map((game) => (
        <option key={game.id} value={game.id}>
          {game.name}
        </option>
      ))}
    </optgroup>
  );
}

/** The start that will be played, where it is known already. */
function Preview({ game, number }: { game: Game; number: number | null }) {
  const [fen, setFen] = useState(game.start_fen);
  useEffect(() => {
    setFen(game.start_fen);
    if (number === null) return;
    let wanted = true;
    api.setup(game.id, number).then(
      (setup) => wanted && setFen(setup.fen),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [game.id, number]);
  return (
    <>
      <div class="preview" aria-hidden="true">
        <Picture files={game.files} ranks={game.ranks} kinds={game.pieces} fen={fen} key={game.id} />
      </div>
      <p class="muted small figures">{sizeText(game)}</p>
    </>
  );
}

function levelWord(level: number) {
  return level <= 2
    ? "new.level.beginner"
    : level <= 4
      ? "new.level.casual"
      : level <= 6
        ? "new.level.club"
        : level <= 8
          ? "new.level.strong"
          : level === 9
            ? "new.level.veryStrong"
            : "new.level.full";
}
