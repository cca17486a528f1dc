import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { MAX_LEVEL } from "../../../core/src/limits.ts";
import { api, at, identity, type Refusal } from "../client";
import { load, save } from "../client/storage";
import { theCore } from "../core";
import { t } from "../i18n";
import { Picture, Shape } from "../parts/board";
import { Check, Choices, NumberField } from "../parts/choices";
import { online } from "../parts/frame";
import { useGame } from "../parts/games";
import { optionsFrom } from "../parts/links";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Options } from "../parts/options";
import { Page } from "../parts/page";
import { TimeChoice } from "../parts/time-choice";
import { refusal, thrownRefusal } from "../refusal";
import type { Game, GameSummary, NewMatch, Opponent, SideChoice, TimeControl } from "../wire";
import { sizeText } from "./front";

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

function Form({ games: all }: { games: GameSummary[] }) {
  const { query, route } = useLocation();
  const offline = !online.value;
  // The core has the games that ship.
  const games = offline ? all.filter(({ origin }) => origin === "shipped") : all;
  const last = load("last-level");
  const chosen = useSignal(games.find((game) => game.id === query.game)?.id ?? games[0]?.id ?? "");
  const opponent = useSignal<OpponentKind>(
    opponents.find((kind) => kind === query.opponent && !(query.fen && kind === "lobby")) ?? "engine",
  );
  const level = useSignal(typeof last === "number" ? Math.min(MAX_LEVEL, Math.max(1, Math.round(last))) : 2);
  const fen = useSignal(query.fen ?? "");
  const side = useSignal<SideChoice>(fen.value.split(" ")[1] === "b" ? "black" : "white");
  const time = useSignal<TimeControl>({ kind: "none" });
  const options = useSignal(optionsFrom(query));
  const hints = useSignal(true);
  const rated = useSignal(true);
  const onDevice = useSignal(false);
  const setupBy = useSignal<SetupBy>("random");
  const number = useSignal(1);
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const summary = useComputed(() => games.find((game) => game.id === chosen.value)).value;
  const { value, error: trouble, again } = useGame(chosen.value);
  // `value` is still the game chosen before until the new one is loaded.
  const game = value?.id === chosen.value ? value : undefined;
  const kind = offline && opponent.value !== "self" ? "engine" : opponent.value;
  const local = kind === "engine" || kind === "self";
  // Neither player may have chosen what favours them.
  const canRate = !local && identity.value?.account === true && !fen.value && time.value.kind !== "none";
  const isRated = canRate && rated.value;
  const named = setupBy.value === "number" && !!game?.setup;
  const sides: readonly SideChoice[] = isRated
    ? named
      ? ["opponent"]
      : ["random", "opponent"]
    : ["white", "black", "random", ...(local ? [] : (["opponent"] as const))];
  const ours = sides.includes(side.value) ? side.value : (sides[0] ?? "random");
  const device = local && summary?.origin === "shipped" && (offline || onDevice.value);

  if (!summary) return <p class="notice">{t("new.none")}</p>;

  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      if (device) {
        const { begin } = await import("../local/start");
        const id = await begin({
          game: chosen.value,
          options: options.value,
          opponent: kind,
          level: level.value,
          side: ours === "opponent" ? "random" : ours,
          setup: setupBy.value === "number" ? number.value : setupBy.value === "choose" ? "choose" : "random",
          fen: fen.value || null,
          hints: hints.value,
          time: time.value,
        });
        if (kind === "engine") save("last-level", level.value);
        return route(at(`/match/${id}`));
      }
      const match = await api.create(await settings());
      if (kind === "engine") save("last-level", level.value);
      if (match.invite) save(`invite.${match.match}`, match.invite);
      route(at(`/match/${match.match}`));
    } catch (problem) {
      setError(thrownRefusal(problem));
      // The next press of the button does without the server.
      if ((problem as Refusal).code === "offline" && local) onDevice.value = true;
      setBusy(false);
    }
  };

  const settings = async (): Promise<NewMatch> => {
    const against: Opponent = kind === "engine" ? { kind, level: level.value } : { kind };
    let setup: string | null = null;
    if (game?.setup && !fen.value)
      setup = setupBy.value === "number" ? (await api.setup(game.id, number.value)).name : setupBy.value;
    return {
      game: { game: chosen.value, options: options.value },
      opponent: against,
      side: kind === "self" ? "white" : ours,
      time: time.value,
      setup,
      fen: fen.value || null,
      hints: hints.value && local,
      rated: isRated,
    };
  };

  const playOnDevice = (wanted: boolean) => {
    onDevice.value = wanted;
    if (wanted && setupBy.value === "engine") setupBy.value = "random";
    setError(null);
    if (wanted)
      void theCore().then((core) => {
        if (core) return;
        onDevice.value = false;
        setError(refusal("no_core"));
      });
  };

  return (
    <form class="two-columns" onSubmit={start}>
      <div class="beside">
        {trouble && <Trouble error={trouble} again={again} />}
        <div class="preview" aria-hidden="true">
          <Shape of={summary}>
            {game && fen.value && <StillPicture game={game} fen={fen.value} />}
            {game && !fen.value && (
              <Preview game={game} number={setupBy.value === "number" && game.setup ? number.value : null} />
            )}
          </Shape>
        </div>
        <p class="muted small figures">{sizeText(summary)}</p>
      </div>
      <div>
        <GameField
          games={games}
          chosen={summary}
          onChange={(id) => {
            chosen.value = id;
            options.value = {};
            number.value = 1;
            fen.value = "";
          }}
        />
        <StartField game={chosen.value} fen={fen} />
        <Choices
          legend={t("new.opponent")}
          value={kind}
          among={opponents
            // An open challenge begins from the game's start.
            .filter((value) => !(fen.value && value === "lobby"))
            .filter((value) => !offline || value === "engine" || value === "self")
            .map((value) => ({ value, label: t(`new.${value}`) }))}
          onChange={(value) => {
            opponent.value = value;
            if (value !== "engine" && setupBy.value === "engine") setupBy.value = "choose";
            if ((value === "engine" || value === "self") && time.value.kind === "correspondence")
              time.value = { kind: "none" };
          }}
          help={t(`new.${kind}.help`)}
        />
        {kind === "engine" && <LevelField level={level} />}
        {kind !== "self" && (
          <Choices
            legend={t("new.side")}
            value={ours}
            among={sides.map((value) => ({ value, label: t(`new.side.${value}`) }))}
            onChange={setter(side)}
          />
        )}
        {game?.setup && !fen.value && (
          <SetupField count={game.setup.count} engine={kind === "engine" && !device} by={setupBy} number={number} />
        )}
        <TimeChoice value={time.value} correspondence={!local} onChange={setter(time)} />
        {canRate && (
          <Check label={t("new.rated")} checked={rated.value} onChange={setter(rated)} help={t("new.rated.help")} />
        )}
        {game && game.options.length > 0 && (
          <Options game={game} options={options.value} onChange={setter(options)} explained />
        )}
        {local && <Check label={t("new.hints")} checked={hints.value} onChange={setter(hints)} />}
        {local && !offline && summary.origin === "shipped" && (
          <Check label={t("new.device")} checked={onDevice.value} onChange={playOnDevice} help={t("new.device.help")} />
        )}
        {offline && <p class="help">{t("new.device.help")}</p>}
        {error && <Trouble error={error} />}
        <div class="start">
          <button type="submit" class="primary wide-button" disabled={busy || !game}>
            {t(`new.start.${kind}`)}
          </button>
        </div>
      </div>
    </form>
  );
}

function setter<T>(signal: Signal<T>): (value: T) => void {
  return (value) => {
    signal.value = value;
  };
}

function GameField({
  games,
  chosen,
  onChange,
}: {
  games: GameSummary[];
  chosen: GameSummary;
  onChange: (id: string) => void;
}) {
  return (
    <div class="field">
      <label for="game">{t("new.game")}</label>
      <select id="game" value={chosen.id} onChange={(event) => onChange(event.currentTarget.value)}>
        <GameGroup label={t("new.featured")} games={games.filter((game) => game.featured)} />
        <GameGroup label={t("front.own")} games={games.filter((game) => game.origin === "file")} />
        <GameGroup label={t("new.published")} games={games.filter((game) => game.origin === "published")} />
        <GameGroup
          label={t("front.more")}
          games={games.filter((game) => !game.featured && game.origin === "shipped")}
        />
      </select>
      <p class="help">
        {chosen.summary} <a href={at(`/learn/${encodeURIComponent(chosen.id)}`)}>{t("new.rules")}</a>
      </p>
    </div>
  );
}

/** Whether the match begins from the start or from a position, with the way to the other. */
function StartField({ game, fen }: { game: string; fen: Signal<string> }) {
  const library = at(`/positions?game=${encodeURIComponent(game)}`);
  if (!fen.value) {
    return (
      <p class="field">
        <a href={library}>{t("positions.title")}</a>
      </p>
    );
  }
  return (
    <fieldset class="position-start">
      <legend>{t("new.from")}</legend>
      <p>
        {t("new.from.position")} · {t(fen.value.split(" ")[1] === "b" ? "match.black" : "match.white")}
      </p>
      <div class="together">
        <a class="button" href={library}>
          {t("new.from.other")}
        </a>
        <button
          type="button"
          onClick={() => {
            fen.value = "";
          }}
        >
          {t("new.from.start")}
        </button>
      </div>
    </fieldset>
  );
}

function LevelField({ level }: { level: Signal<number> }) {
  return (
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
  );
}

/** Who chooses the setup, or which of the `count` setups it is. */
function SetupField({
  count,
  engine,
  by,
  number,
}: {
  count: number;
  /** Whether the engine may choose it. */
  engine: boolean;
  by: Signal<SetupBy>;
  number: Signal<number>;
}) {
  const field = useRef<HTMLDivElement>(null);
  // The field opens below the choices, perhaps out of sight.
  useEffect(() => field.current?.scrollIntoView({ block: "nearest" }), [by.value]);
  const choices = ["random", "choose", ...(engine ? (["engine"] as const) : []), "number"] as const;
  return (
    <>
      <Choices
        legend={t("new.setup")}
        value={by.value}
        among={choices.map((value) => ({ value, label: t(`new.setup.${value}`) }))}
        onChange={setter(by)}
        help={t(`new.setup.${by.value}.help`, { count })}
      />
      {by.value === "number" && (
        <div class="field" ref={field}>
          <NumberField
            label={t("new.setup.which", { count })}
            value={number.value}
            min={1}
            max={count}
            onChange={(value) => {
              number.value = Math.round(value);
            }}
          />
        </div>
      )}
    </>
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

/** The starting position, as far as it is already known. */
function Preview({ game, number }: { game: Game; number: number | null }) {
  const [fen, setFen] = useState(game.start_fen);
  useEffect(() => {
    setFen(game.start_fen);
    if (number === null) return;
    let current = true;
    api.setup(game.id, number).then(
      (setup) => current && setFen(setup.fen),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [game.id, number]);
  return <StillPicture game={game} fen={fen} />;
}

function StillPicture({ game, fen }: { game: Game; fen: string }) {
  return <Picture files={game.files} ranks={game.ranks} pieceTypes={game.pieces} fen={fen} key={game.id} />;
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
