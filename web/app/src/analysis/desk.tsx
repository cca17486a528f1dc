import type { Arrow, Board } from "@acedrex/board";
import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../client";
import * as ask from "../client/analysis";
import { count, t } from "../i18n";
import { BoardView, useAspect, useDocks } from "../parts/board";
import { useCore } from "../parts/core";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import { refusalText } from "../parts/loaded";
import { useNarrow } from "../parts/narrow";
import { useArrival, useTitle } from "../parts/page";
import { specialMoves, specialMoveText } from "../parts/special-moves";
import { readTyped } from "../parts/typed";
import type { Attacks, Game, Position } from "../wire";
import { Bar } from "./bar";
import { Engine } from "./engine";
import { EvaluationBar } from "./evaluation-bar";
import type { Look } from "./look";
import { Lesson } from "./mistakes-view";
import type { Opened } from "./opened";
import { Panel } from "./panel";
import type { Review } from "./review";
import { planOf } from "./saved";
import { titleOf } from "./title";
import { nodeOf, START } from "./tree";

/** What is drawn over the pieces besides the engine's arrows. */
export interface Overlays {
  threats: boolean;
  counts: boolean;
}

interface Props {
  study: Opened;
  look: Look;
  review: Review;
  game: Game;
  /** The heading, if not that of an analysis. */
  title?: string;
  /** The column beside the board, if not that of an analysis. */
  panel?: (close: () => void) => ComponentChildren;
  /** The colour in which all pointers draw, if any, and what is called with the arrows. */
  drawing?: Arrow["colour"] | null;
  onArrow?: (arrow: Arrow) => void;
  /** What is said below the engine's lines. */
  news?: ComponentChildren;
}

/** The page of an analysis: the board, and beside it the engine's lines, the tree of moves and the graph. */
export function Desk(props: Props) {
  const { study, look, review, game, panel, drawing = null, onArrow, news } = props;
  const [overlays, setOverlays] = useState<Overlays>({ threats: false, counts: false });
  const [open, setOpen] = useState(false);
  const board = useRef<Board | null>(null);
  const main = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const docks = useDocks();
  const saved = study.saved.value;
  const position = study.position.value;
  const attacks = useAttacks(study, position, overlays);
  useArrival(main);
  useAspect(game);
  const title = props.title ?? titleOf(saved);
  useTitle(title);
  useKeys(study);
  useSquares(place);
  useCore(study.choice);

  const mistakes = review.mistakes.value;
  // What the engine finds would give the answer away.
  const secret = mistakes?.secret.value ?? false;
  const lines = secret ? undefined : look.lines.value?.lines;
  const mark = secret ? undefined : review.marks.value.get(saved.at);
  const drawn = nodeOf(saved.tree, saved.at).arrows;
  const hints = useMemo(() => {
    const found: Arrow[] = [...(drawn ?? [])];
    if (overlays.threats && attacks)
      found.push(...attacks.threats.map((threat) => ({ ...threat, colour: "vermilion" as const })));
    if (mark) found.push(...arrows(mark.best, 1, "gold"));
    for (const [rank, line] of [...(lines ?? []).entries()].reverse()) {
      found.push(
        ...arrows(line.moves, Math.max(1, position.moves_left), "lapis").map((arrow) => ({
          ...arrow,
          faint: rank > 0,
        })),
      );
    }
    return found;
  }, [lines, attacks, overlays.threats, mark, position, drawn]);
  const counts = useMemo(() => (overlays.counts && attacks ? attacks.squares : []), [attacks, overlays.counts]);
  const special = specialMoves(position.legal);
  const planned = planOf(study.id);
  const score = secret ? null : (lines?.[0]?.score ?? review.findingOf(saved.at)?.score ?? null);

  return (
    <main
      ref={main}
      id="main"
      class={`match analysis${position.in_command ? " several" : ""}${open ? " open-panel" : ""}`}
      tabIndex={-1}
    >
      <h1 class="hidden">{title}</h1>
      <div class="captured-dock above" ref={docks.above} />
      <div class="board-place" ref={place}>
        {!planned && <EvaluationBar score={score} below={saved.orientation} />}
        <BoardView
          class="board-box"
          held={board}
          docks={docks}
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={position}
          awaited={study.awaited.value}
          seat={position.legal.length > 0 ? "both" : null}
          orientation={saved.orientation}
          fit={useNarrow() ? "width" : "box"}
          confirm="never"
          premoves={false}
          hints={hints}
          counts={counts}
          drawing={drawing}
          {...(onArrow && { onArrow })}
          start={nodeOf(saved.tree, START).fen}
          onMove={(move) => (mistakes?.waits ? mistakes.attempt(move.move) : study.play([move.move]))}
          onUndo={() => study.step(-1)}
          read={readTyped(study.choice, position.fen)}
          explain={(square) => api.idle(study.choice, position.fen, square)}
          reach={api.reachIn(study.choice, position.fen)}
        />
      </div>
      <div class="captured-dock below" ref={docks.below} />
      <section class="match-status" aria-label={t("analysis.engine")}>
        {planned ? (
          <Later load={() => import("./plan").then((its) => its.Plan)} study={study} match={planned} />
        ) : (
          <>
            {mistakes && <Lesson mistakes={mistakes} study={study} review={review} />}
            {!secret && <Engine study={study} look={look} />}
          </>
        )}
        <div class="passing">
          <div class="dock" ref={docks.bar} />
          {news}
          {overlays.threats && attacks?.threats.length === 0 && (
            <p class="news" role="status">
              {t("analysis.overlay.threats.none")}
            </p>
          )}
          {special.length > 0 && (
            <div class="news">
              {special.map((move) => (
                <button type="button" key={move.move} onClick={() => study.play([move.move])}>
                  {specialMoveText(move.move)}
                </button>
              ))}
            </div>
          )}
          {saved.more && (
            <div class="news">
              <span role="status">{t("analysis.first_game")}</span>
              <button type="button" class="quiet" aria-label={t("close")} onClick={() => study.change({ more: false })}>
                <Icon of={X} size={18} />
              </button>
            </div>
          )}
          {saved.faults.length > 0 && (
            <div class="news refused">
              <details>
                <summary>{count("analysis.faults", saved.faults.length)}</summary>
                <ul>
                  {saved.faults.map((fault) => (
                    <li key={fault}>{fault}</li>
                  ))}
                </ul>
              </details>
              <button type="button" class="quiet" aria-label={t("close")} onClick={() => study.change({ faults: [] })}>
                <Icon of={X} size={18} />
              </button>
            </div>
          )}
          {study.refused.value && (
            <p class="news refused" role="alert">
              {refusalText(study.refused.value)}
            </p>
          )}
          {study.unsaved.value && (
            <p class="news refused" role="alert">
              {t("analysis.unsaved")}
            </p>
          )}
        </div>
      </section>
      {panel ? (
        panel(() => setOpen(false))
      ) : (
        <Panel study={study} review={review} game={game} close={() => setOpen(false)} />
      )}
      <Bar
        study={study}
        overlays={overlays}
        setOverlays={setOverlays}
        tools={docks.tools}
        open={open}
        setOpen={setOpen}
      />
    </main>
  );
}

/** Arrows for the first moves of a turn, up to the first move without squares. */
function arrows(moves: readonly string[], most: number, colour: Arrow["colour"]): Arrow[] {
  const found: Arrow[] = [];
  for (const move of moves.slice(0, most)) {
    const [, from, to] = /^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(move) ?? [];
    if (!from || !to) break;
    found.push({ from, to, colour });
  }
  return found;
}

/** The attacks in a position, fetched only while an overlay shows them. */
function useAttacks(study: Opened, position: Position, { threats, counts }: Overlays): Attacks | null {
  const [attacks, setAttacks] = useState<{ fen: string; answer: Attacks } | null>(null);
  const needed = threats || counts;
  useEffect(() => {
    if (!needed || !position.fen) return;
    const pending = new AbortController();
    ask.attacks({ ...study.choice, fen: position.fen }, pending.signal).then(
      (answer) => setAttacks({ fen: position.fen, answer }),
      () => undefined,
    );
    return () => pending.abort();
  }, [position.fen, needed]);
  return attacks?.fen === position.fen ? attacks.answer : null;
}

/** Sets the place and height of the squares as CSS variables of an element, since only the board knows them. */
function useSquares(place: { current: HTMLElement | null }): void {
  useEffect(() => {
    const around = place.current;
    if (!around) return;
    const measure = () => {
      const squares = around.querySelector(".viewport")?.getBoundingClientRect();
      if (!squares) return;
      const { top, left } = around.getBoundingClientRect();
      around.style.setProperty("--squares-top", `${squares.top - top}px`);
      around.style.setProperty("--squares-left", `${squares.left - left}px`);
      around.style.setProperty("--squares-height", `${squares.height}px`);
    };
    const sizes = new ResizeObserver(measure);
    const watch = () => {
      const squares = around.querySelector(".viewport");
      if (!squares) return;
      sizes.observe(squares);
      arrivals.disconnect();
    };
    // The board is added once the drawings of the pieces are loaded.
    const arrivals = new MutationObserver(watch);
    arrivals.observe(around, { childList: true, subtree: true });
    sizes.observe(around);
    watch();
    return () => {
      sizes.disconnect();
      arrivals.disconnect();
    };
  }, []);
}

function useKeys(study: Opened): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      // The board prevents the default of the keys that it uses itself.
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest("input, textarea, select, dialog, [role=tablist]")) return;
      if (event.key === "ArrowLeft") study.step(-1);
      else if (event.key === "ArrowRight") study.step(1);
      else if (event.key === "Home") study.goTo(START);
      else if (event.key === "End") study.step(Number.MAX_SAFE_INTEGER);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [study]);
}
