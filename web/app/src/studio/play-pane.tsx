import { ArrowUpDown, RefreshCcw, Undo2 } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { MAX_LEVEL } from "../../../core/src/limits.ts";
import { count, language, t } from "../i18n";
import { BoardView } from "../parts/board";
import { Choices, NumberField } from "../parts/choices";
import { endingText, reasonText } from "../parts/ending";
import { Icon } from "../parts/icon";
import { Options } from "../parts/options";
import { specialMoves, specialMoveText } from "../parts/special-moves";
import type { Ending, Side } from "../wire";
import type { OpenDraft } from "./open-draft";
import type { Beginning, Play } from "./play";
import { GAMES, portraitOf, type Series } from "./portrait";
import { Problems } from "./problems";
import { Start } from "./start";

const LEVELS = Array.from({ length: MAX_LEVEL }, (_, index) => index + 1);

/** The game against the engine or by both hands, and the portrait of the game. */
export function PlayPane({ draft, play, series }: { draft: OpenDraft; play: Play; series: Series }) {
  const sound = draft.sound.value ? draft.game.value : null;
  const definition = play.definition.value;
  useEffect(() => {
    if (sound && !definition) void play.begin(sound);
  }, [sound, definition]);
  if (!definition) {
    return (
      <div class="studio-columns">
        <Start draft={draft} />
        <div class="studio-panel">
          {draft.trouble.value === "none" && (
            <p>{draft.problems.value.length > 0 ? t("studio.play.faults") : t("waiting")}</p>
          )}
          <Problems draft={draft} />
        </div>
      </div>
    );
  }
  const changed = sound !== null && sound.game.rulesHash !== definition.game.rulesHash;
  return (
    <div class="studio-columns">
      <Table play={play} />
      <div class="studio-panel">
        {!draft.sound.value && <Problems draft={draft} />}
        {changed && (
          <p class="notice studio-changed" role="status">
            {t("studio.play.changed")}
            <button type="button" class="primary" onClick={() => void play.begin(sound)}>
              {t("studio.play.changed.new")}
            </button>
          </p>
        )}
        <Controls play={play} again={() => void play.begin(sound ?? definition)} />
        <Moves play={play} />
        <BeginningPart play={play} of={sound ?? definition} />
        <PortraitPart series={series} of={sound} play={play} />
      </div>
    </div>
  );
}

function Table({ play }: { play: Play }) {
  const [orientation, setOrientation] = useState<Side>("white");
  const { game } = play.definition.value ?? { game: null };
  const reached = play.reached.value;
  if (!game || !reached) return <p role="status">{t("waiting")}</p>;
  const opponent = play.opponent.value;
  const seat = opponent === "none" ? "both" : opponent === "white" ? "black" : "white";
  return (
    <div class="studio-board" style={{ "--aspect": String(game.files / game.ranks) }}>
      <BoardView
        key={game.rulesHash}
        files={game.files}
        ranks={game.ranks}
        pieceTypes={game.pieces}
        position={reached.position}
        seat={reached.outcome ? null : seat}
        orientation={orientation}
        premoves={false}
        fit="width"
        reach={(square) => play.reach(square)}
        onMove={({ move }) => void play.push(move)}
        onUndo={() => void play.undo()}
      />
      <div class="together">
        {(opponent === "none" || reached.position.turn !== opponent) &&
          specialMoves(reached.position.legal).map(({ move }) => (
            <button type="button" key={move} onClick={() => void play.push(move)}>
              {specialMoveText(move)}
            </button>
          ))}
        <button type="button" class="quiet" onClick={() => setOrientation(orientation === "white" ? "black" : "white")}>
          <Icon of={ArrowUpDown} size={18} /> {t("bar.flip")}
        </button>
      </div>
    </div>
  );
}

/** The setup and the options of the game and of the portrait; a change begins a new game. */
function BeginningPart({ play, of }: { play: Play; of: NonNullable<OpenDraft["game"]["value"]> }) {
  const { options, setup } = play.beginning.value;
  const { setups, options: offered } = of.game;
  const change = (changed: Partial<Beginning>) => void play.begin(of, { ...play.beginning.value, ...changed });
  return (
    <>
      {setups > 1 && (
        <Choices
          legend={t("new.setup")}
          value={setup === "random" ? "random" : "number"}
          among={(["random", "number"] as const).map((value) => ({ value, label: t(`new.setup.${value}`) }))}
          onChange={(value) => change({ setup: value === "random" ? value : 1 })}
        />
      )}
      {setups > 1 && setup !== "random" && (
        <NumberField
          label={t("new.setup.which", { count: setups })}
          value={setup}
          min={1}
          max={setups}
          onChange={(value) => change({ setup: Math.round(value) })}
        />
      )}
      {offered.length > 0 && (
        <Options game={of.game} options={options} onChange={(value) => change({ options: value })} explained />
      )}
    </>
  );
}

function Controls({ play, again }: { play: Play; again: () => void }) {
  return (
    <>
      <p class="studio-status" role="status">
        {statusOf(play)}
      </p>
      <Choices
        legend={t("studio.play.who")}
        value={play.opponent.value}
        among={(["black", "white", "none"] as const).map((value) => ({ value, label: t(`studio.play.${value}`) }))}
        onChange={(value) => void play.choose(value)}
      />
      {play.opponent.value !== "none" && (
        <div class="field">
          <label for="studio-level">{t("studio.play.level")}</label>
          <select
            id="studio-level"
            value={String(play.level.value)}
            onChange={({ currentTarget }) => {
              play.level.value = Number(currentTarget.value);
            }}
          >
            {LEVELS.map((level) => (
              <option key={level} value={String(level)}>
                {t("new.level", { level })}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="together">
        <button type="button" disabled={play.moves.value.length === 0} onClick={() => void play.undo()}>
          <Icon of={Undo2} size={18} /> {t("studio.play.undo")}
        </button>
        <button type="button" disabled={play.moves.value.length === 0} onClick={again}>
          <Icon of={RefreshCcw} size={18} /> {t("studio.play.again")}
        </button>
      </div>
    </>
  );
}

function statusOf(play: Play): string {
  const [reached, state] = [play.reached.value, play.state.value];
  if (state === "failed") return t("studio.play.failed");
  if (state === "thinking") return t("studio.play.thinking");
  const outcome = reached?.outcome;
  if (outcome) {
    const { termination: reason, winner, result, score } = outcome;
    return endingText({ reason, winner, result, score, limit: null } as Ending);
  }
  return t(reached?.position.turn === "black" ? "studio.play.turn.black" : "studio.play.turn.white");
}

function Moves({ play }: { play: Play }) {
  const sans = play.sans.value;
  if (sans.length === 0) return null;
  return <p class="studio-moves figures">{sans.join(" ")}</p>;
}

function PortraitPart({ series, of, play }: { series: Series; of: OpenDraft["game"]["value"]; play: Play }) {
  const state = series.state.value;
  const played = series.played.value;
  const game = series.definition.value?.game;
  return (
    <section class="studio-portrait">
      <h2>{t("studio.portrait")}</h2>
      <p class="help">{t("studio.portrait.help", { count: GAMES })}</p>
      <div class="together">
        {state === "playing" ? (
          <>
            <progress value={played.length} max={GAMES} aria-label={t("studio.portrait")} />
            <span class="figures">
              {played.length}/{GAMES}
            </span>
            <button type="button" onClick={() => series.stop()}>
              {t("studio.portrait.stop")}
            </button>
          </>
        ) : (
          <>
            <label>
              <span class="hidden">{t("studio.play.level")}</span>
              <select
                value={String(series.level.value)}
                onChange={({ currentTarget }) => {
                  series.level.value = Number(currentTarget.value);
                }}
              >
                {LEVELS.slice(0, 6).map((level) => (
                  <option key={level} value={String(level)}>
                    {t("new.level", { level })}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" disabled={!of} onClick={() => of && void series.begin(of, play.beginning.value)}>
              {t("studio.portrait.begin", { count: GAMES })}
            </button>
          </>
        )}
      </div>
      {state === "failed" && <p class="fault">{t("studio.portrait.failed")}</p>}
      {played.length > 0 && game && <Figures series={series} />}
    </section>
  );
}

function Figures({ series }: { series: Series }) {
  const { games, white, black, draws, score, margin, turns, endings } = portraitOf(series.played.value);
  const percent = new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 });
  const { pieces, values } = series.definition.value?.game ?? { pieces: [], values: {} as Record<string, number> };
  const number = new Intl.NumberFormat(language.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const facts = [
    [t("studio.portrait.length"), t("studio.portrait.length.text", turns)],
    [t("studio.portrait.draws"), percent.format(draws / games)],
    [
      t("studio.portrait.first"),
      t("studio.portrait.first.text", {
        white,
        black,
        score: percent.format(score),
        margin: percent.format(margin),
      }),
    ],
    [
      t("studio.portrait.endings"),
      endings
        .map(
          ([reason, times]) =>
            `${reason === "unfinished" ? t("studio.portrait.unfinished") : reasonText(reason)} ${times}`,
        )
        .join(", "),
    ],
    [
      t("studio.portrait.values"),
      pieces
        .filter((kind) => !kind.royal)
        .map((kind) => `${kind.name} ${number.format((values[kind.letter] ?? 0) / 100)}`)
        .join(", "),
    ],
  ];
  return (
    <>
      <p class="muted small">{count("studio.portrait.games", games)}</p>
      <dl class="studio-facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
