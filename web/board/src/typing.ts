// Typed text: a move in coordinates ("f2h3"), a square ("g7"), or what the host reads, such as "Gf7". It waits where
// the legal moves are not known yet.

import { canLift, choose, goTo, lift, play, targets } from "./hand.ts";
import { mover } from "./moves.ts";
import { isSquare } from "./squares.ts";
import type { Change, State } from "./state.ts";
import { fill } from "./texts.ts";
import type { Square } from "./types.ts";

/** Change the typed text, which then has to be entered again. */
export function withTyped(state: State, text: string): State {
  return { ...state, typed: text, entered: null };
}

/** Act on a text, or have the host read it. */
export function enter(state: State, text: string): Change {
  if (waits(state) && !state.asks) return [{ ...state, typed: text, entered: state.awaited ?? "" }];
  const next = withTyped(state, "");
  if (isSquare(text, state) && (state.asks || targets(state).length || canLift(state, text))) {
    return goToSquare(next, text);
  }
  if (!mover(state)) return notRead(next, text);
  return readAs(next, text.toLowerCase()) ?? [next, { what: "read", text }];
}

/** Act on the text that waits, once the legal moves are known. In another position it only stays. */
export function enterAwaited(before: State, now: State): Change {
  const { entered, typed } = now;
  if (entered === null || waits(now)) return [now];
  const fen = now.position?.fen;
  const comes = entered ? fen === entered : fen !== before.position?.fen;
  return comes ? enter(now, typed) : [withTyped(now, typed)];
}

/** Whether the legal moves of the position that the player means are still to come. */
function waits({ awaited, made }: State): boolean {
  return (awaited ?? made) !== null;
}

/** Make the move that a text means, if it is legal. */
export function readAs(state: State, move: string): Change | null {
  const legal = state.position?.legal.find((legal) => legal.move === move);
  return legal && mover(state) ? play(state, legal) : null;
}

/** Act on a text that is not a move. */
export function notRead(state: State, text: string, why?: string): Change {
  if (isSquare(text, state)) return goToSquare(state, text);
  return [state, { what: "announce", text: why ?? fill(state.texts.unknown, { text }) }];
}

function goToSquare(state: State, square: Square): Change {
  const next: State = { ...state, focus: square };
  if (state.asks) return choose(next, square);
  if (targets(state).includes(square)) return goTo(next, square);
  return canLift(state, square) ? lift(next, { square }) : [next];
}
