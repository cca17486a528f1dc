// Typed text: a move in coordinates ("f2h3"), a square ("g7"), or what the host reads, such as "Gf7".

import { canLift, choose, goTo, lift, play, targets } from "./hand.ts";
import { mover } from "./moves.ts";
import { isSquare } from "./squares.ts";
import type { Change, State } from "./state.ts";
import { fill } from "./texts.ts";
import type { Square } from "./types.ts";

/** Act on a text, or have the host read it. */
export function enter(state: State, text: string): Change {
  const next: State = { ...state, typed: "" };
  if (isSquare(text, state) && (state.asks || targets(state).length || canLift(state, text))) {
    return goToSquare(next, text);
  }
  if (!mover(state)) return notRead(next, text);
  return readAs(next, text.toLowerCase()) ?? [next, { what: "read", text }];
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
