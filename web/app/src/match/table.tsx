import { type Board, otherSide } from "@acedrex/board";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, settings } from "../client";
import { useArranging } from "../parts/arranging";
import { BoardView, useAspect, useDocks } from "../parts/board";
import { useCore } from "../parts/core";
import { useNarrow } from "../parts/narrow";
import { useArrival } from "../parts/page";
import { SetupScore } from "../parts/setup-score";
import { readTyped } from "../parts/typed";
import type { Game, Position, Side, Snapshot } from "../wire";
import { Bar } from "./bar";
import { hintArrows } from "./hint";
import { type Match, Past } from "./match";
import { Panel } from "./panel";
import { PlayerStrip } from "./player";
import { Status } from "./status";
import { useYourTurn } from "./your-turn";

/** The page of a match: the board, its players, the status, the panel and the bar. */
export function Table({ match, state, game }: { match: Match; state: Snapshot; game: Game }) {
  const [flipped, setFlipped] = useState(false);
  const [open, setOpen] = useState(false);
  const { shown, step, goTo } = useSteps(match, state);
  const board = useRef<Board | null>(null);
  const docks = useDocks();
  const phase = state.phase === "setup" ? game.setup : null;
  const setup = useArranging(game, phase, state.may.includes("setup"), (name) => match.setup(name));
  const main = useRef<HTMLElement>(null);
  useYourTurn(match, state);
  useArrival(main);
  useAspect(game);
  // What a player does after a match is beside the board, where the open panel of a phone would cover it.
  useEffect(() => {
    if (state.seat) setOpen(false);
  }, [state.phase]);

  const below: Side = (state.seat === "black") !== flipped ? "black" : "white";
  const present = shown === null;
  // A new object of the same position makes the board take back a refused move.
  const now = match.position.value ?? state.position;
  const position = useMemo(() => shown ?? { ...now }, [shown, now, match.refused.value]);
  const hints = useMemo(
    () => (present && match.hint.value ? hintArrows(match.hint.value.moves, state.position) : []),
    [match.hint.value, state.position, present],
  );
  const { game: id, options, rules_hash } = state.game;
  const choice = useMemo(() => ({ game: id, options, rules_hash, match: match.id }), [rules_hash]);
  useCore(choice);

  return (
    <main
      ref={main}
      id="main"
      class={`match ${state.phase}${now.in_command ? " several" : ""}${open ? " open-panel" : ""}`}
      tabIndex={-1}
    >
      <h1 class="hidden">
        {state.game.name}: {state.players.white.name} – {state.players.black.name}
      </h1>
      <PlayerStrip match={match} state={state} side={otherSide(below)} place="above" captured={docks.above} />
      <div class="board-place">
        <BoardView
          class="board-box"
          held={board}
          docks={docks}
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={position}
          seat={present && state.phase === "play" ? state.seat : null}
          orientation={below}
          fit={useNarrow() ? "width" : "box"}
          setup={setup.choice}
          hints={hints}
          start={state.start_fen}
          promotion={settings.value.promotion}
          promotionNote={game.rules.find((rule) => rule.key === "etiquette")?.text ?? null}
          onMove={(move) => match.move(move.move)}
          onUndo={() => match.undo()}
          read={readTyped(choice, position.fen)}
          paced={present}
          explain={(square) => api.idle(choice, position.fen, square)}
          reach={api.reachIn(choice, position.fen)}
          onArrange={setup.arrange}
          onShuffle={setup.shuffle}
          onSetup={setup.confirm}
        />
      </div>
      <PlayerStrip match={match} state={state} side={below} place="below" captured={docks.below} />
      <Status match={match} state={state} game={game} shown={shown} back={() => goTo(null)} dock={docks.bar}>
        {rules_hash === game.rules_hash && <SetupScore game={game} name={setup.arranged} />}
      </Status>
      <Panel match={match} state={state} game={game} shown={shown} goTo={goTo} close={() => setOpen(false)} />
      <Bar
        match={match}
        state={state}
        shown={shown}
        step={step}
        tools={docks.tools}
        open={open}
        setOpen={setOpen}
        flip={() => setFlipped(!flipped)}
      />
    </main>
  );
}

/** Passes a key that was typed elsewhere on the page to the board, which listens on its squares. */
function typeAt(key: string): void {
  const square = document.querySelector<HTMLElement>(".board-box [role=gridcell][tabindex='0']");
  square?.focus({ preventScroll: true });
  square?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/** Which position is shown: `null` for the current one, or an earlier one. */
export function useSteps(match: Match, state: Snapshot) {
  const [shown, setShown] = useState<Position | null>(null);
  const past = useMemo(() => new Past(), [match]);
  const pending = useRef<AbortController | null>(null);
  const at = useRef<number | null>(null);
  const latest = useRef(state);
  latest.current = state;

  const goTo = useMemo(
    () => (moves: number | null) => {
      pending.current?.abort();
      pending.current = null;
      const now = latest.current;
      if (moves === null || moves >= now.moves.length) {
        at.current = null;
        setShown(null);
        return;
      }
      const target = Math.max(0, moves);
      at.current = target;
      const asked = new AbortController();
      pending.current = asked;
      past.at(now, target, asked.signal).then(
        (position) => asked === pending.current && setShown(position),
        () => asked === pending.current && goTo(null),
      );
    },
    [past],
  );
  const step = useMemo(() => (by: number) => goTo((at.current ?? latest.current.moves.length) + by), [goTo]);

  // Back to the current position if the move shown was taken back, or when it is the player's turn again.
  const count = state.moves.length;
  useEffect(() => {
    if (at.current !== null && (at.current > count || match.acting.peek())) goTo(null);
  }, [count]);

  // Before anything is on the screen: what is typed at once is not lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      // The board prevents the default of the keys that it uses itself.
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest("input, textarea, select, dialog")) return;
      if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "ArrowRight") step(1);
      else if (event.key === "Home") goTo(0);
      else if (event.key === "End") goTo(null);
      else if (/^[A-Za-z0-9]$/.test(event.key) && !target.closest("button, a, [role=tab], .board-box"))
        typeAt(event.key);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [step, goTo]);

  return { shown, step, goTo };
}
