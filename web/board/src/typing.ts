// Typed text: a move ("f2h3"), a piece and its destination ("Gf7", "Rdxd8"), or a square ("g7").

import { canLift, choose, goTo, lift, play, targets } from "./hand.ts";
import { mover } from "./moves.ts";
import { isSquare } from "./squares.ts";
import type { Change, State } from "./state.ts";
import { fill } from "./texts.ts";
import type { LegalMove, Square } from "./types.ts";

const SAN = /^([A-Z]['!]?)?([a-p])?(\d{1,2})?[x:-]?([a-p]\d{1,2})(?:=?([A-Z]['!]?))?[+#]?$/;

/** Return the only legal move that fits a text. Only a Pawn's letter may be left out. */
export function moveMeant(text: string, state: State): LegalMove | null {
  if (!mover(state) || !state.position) return null;
  const { legal, pieces } = state.position;
  const plain = (move: string) => move.toLowerCase().replace(/[=x-]/g, "");
  const exact = legal.find((move) => plain(move.move) === plain(text));
  if (exact) return exact;
  const parts = SAN.exec(text);
  if (!parts) return null;
  const [, letter = "P", file, rank, to, promotion = null] = parts;
  const letters = new Map(pieces.map((piece) => [piece.square, piece.letter]));
  const found = legal.filter(
    ({ from, ...move }) =>
      from !== null &&
      move.to === to &&
      letters.get(from) === letter &&
      move.promotion === promotion &&
      (!file || from.startsWith(file)) &&
      (!rank || from.slice(1) === rank),
  );
  return found.length === 1 ? (found[0] as LegalMove) : null;
}

/** Act on a text, or leave it to the host. */
export function enter(state: State, text: string): Change {
  const next: State = { ...state, typed: "" };
  if (isSquare(text, state)) {
    const pawn = targets(state).length ? null : moveMeant(text, state);
    return pawn ? play(next, pawn) : goToSquare(next, text);
  }
  const move = moveMeant(text, state);
  return move ? play(next, move) : [next, { what: "type", text }];
}

function goToSquare(state: State, square: Square): Change {
  const next: State = { ...state, focus: square };
  if (state.asks) return choose(next, square);
  if (targets(state).includes(square)) return goTo(next, square);
  return canLift(state, square) ? lift(next, { square }) : [next];
}

/** Return the message for a text that is not a move, if the host has no `onType`. */
export function notUnderstood(state: State, text: string): string {
  return fill(state.texts.unknown, { text });
}
