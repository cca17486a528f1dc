// The host's legal moves: who may make them, how they look when made, and how to find them.

import { readHoles } from "./fen.ts";
import { playedPieces } from "./playback.ts";
import { withArrangement } from "./setup.ts";
import { otherSide, type State } from "./state.ts";
import type { LegalMove, PieceOn, Position, Side, Square } from "./types.ts";

/** Return the side whose moves can be made on this board now; `null` if none can be made. */
export function mover(state: State): Side | null {
  const { position, seat, made, setup, still } = state;
  if (!position || made || setup || still || position.legal.length === 0) return null;
  return seat === "both" || seat === position.turn ? position.turn : null;
}

/** Return the side that can set a premove now. */
export function premover(state: State): Side | null {
  const { position, seat, premoves, knowsReach, setup, still } = state;
  if (!position || !premoves || !knowsReach || setup || still || seat === null || seat === "both") return null;
  return position.turn === otherSide(seat) ? seat : null;
}

export function movesFrom(position: Position, square: Square): LegalMove[] {
  return position.legal.filter((move) => move.from === square);
}

export function specialMove(position: Position, text: string): LegalMove | undefined {
  return position.legal.find((move) => move.move === text);
}

/** Return the pieces after a move. */
export function afterMove(pieces: PieceOn[], move: LegalMove): PieceOn[] {
  const { from, to, partner } = move;
  if (from === null || to === null) return pieces;
  return pieces
    .filter((piece) => piece.square !== move.captured_on || piece.square === from)
    .map((piece) => {
      if (piece.square === from) return { ...piece, square: to, letter: move.promotion ?? piece.letter };
      return piece.square === partner?.from ? { ...piece, square: partner.to } : piece;
    });
}

/** Return the inspected piece if it is shown as on an empty board; all others are then faint. */
export function aloneNow(state: State): PieceOn | null {
  const { inspected, alone, setup } = state;
  if (!inspected || !(alone || setup)) return null;
  return shownPieces(state).find((piece) => piece.square === inspected.square) ?? null;
}

/** Return the pieces as they are shown. */
export function shownPieces(state: State): PieceOn[] {
  const pieces = state.position?.pieces ?? [];
  if (state.setup) return withArrangement(pieces, state.setup.phase, state.arrangement);
  const move = state.held ?? state.made;
  return move ? afterMove(pieces, move) : (playedPieces(state) ?? pieces);
}

/** Return the squares of the rectangle that do not belong to the board. */
export function holesIn({ position }: State): ReadonlySet<Square> {
  return readHoles(position?.fen ?? "");
}

/** Return the squares of the pieces in command, if any piece that has not moved is out of command. */
export function commanded({ pieces, turn, moved, in_command }: Position): Square[] {
  const ready = new Set([...(in_command ?? []), ...moved]);
  return pieces.some((piece) => piece.side === turn && !ready.has(piece.square)) ? (in_command ?? []) : [];
}

/** Whether a move has to be confirmed. */
export function needsConfirmation(state: State, move: LegalMove): boolean {
  if (state.confirm === "always") return true;
  return state.confirm === "several" && move.ends_turn && state.position?.in_command != null;
}
