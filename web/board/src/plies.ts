// Plies as the host told them: whose they are, what they look like when made, and how they are found.

import { withArrangement } from "./setup.ts";
import { otherSide, type State } from "./state.ts";
import type { LegalPly, PieceOn, Position, Side, Square } from "./types.ts";

/** The side whose plies can be made here now; `null` if nothing can be played. */
export function mover(state: State): Side | null {
  const { position, seat, made, setup, still } = state;
  if (!position || made || setup || still || position.legal.length === 0) return null;
  return seat === "both" || seat === position.turn ? position.turn : null;
}

/** The side that can set a premove now. */
export function premover(state: State): Side | null {
  const { position, seat, premoves, knowsReach, setup, still } = state;
  if (!position || !premoves || !knowsReach || setup || still || seat === null || seat === "both") return null;
  return position.turn === otherSide(seat) ? seat : null;
}

export function pliesFrom(position: Position, square: Square): LegalPly[] {
  return position.legal.filter((ply) => ply.from === square);
}

export function wordPly(position: Position, word: string): LegalPly | undefined {
  return position.legal.find((ply) => ply.ply === word);
}

/** Where the pieces stand once a ply is made. */
export function afterPly(pieces: PieceOn[], ply: LegalPly): PieceOn[] {
  const { from, to, partner } = ply;
  if (from === null || to === null) return pieces;
  const taken = ply.captured_on;
  return pieces
    .filter((piece) => piece.square !== taken || piece.square === from)
    .map((piece) => {
      if (piece.square === from) return { ...piece, square: to, letter: ply.promotion ?? piece.letter };
      return piece.square === partner?.from ? { ...piece, square: partner.to } : piece;
    });
}

/** The pieces as they are shown. */
export function shownPieces(state: State): PieceOn[] {
  const pieces = state.position?.pieces ?? [];
  if (state.setup) return withArrangement(pieces, state.setup.phase, state.arrangement);
  const ply = state.held ?? state.made;
  return ply ? afterPly(pieces, ply) : pieces;
}

/** The squares of the last ply as they are shown. */
export function shownLast(state: State): Square[] {
  const ply = state.held ?? state.made;
  if (ply?.from && ply.to) return [ply.from, ...(ply.reach?.legs.slice(0, -1) ?? []), ply.to];
  return state.position?.last ?? [];
}

/** The pieces in command, where some that have not moved are not. */
export function commanded({ pieces, turn, moved, in_command }: Position): Square[] {
  const ready = new Set([...(in_command ?? []), ...moved]);
  return pieces.some((piece) => piece.side === turn && !ready.has(piece.square)) ? (in_command ?? []) : [];
}

/** Whether a ply waits for a confirmation before it is made. */
export function needsConfirmation(state: State, ply: LegalPly): boolean {
  if (state.confirm === "always") return true;
  return state.confirm === "several" && ply.ends_turn && state.position?.in_command != null;
}
