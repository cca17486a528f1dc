// The pieces that each side has lost since the start.

import type { PieceOn, PieceType, Side } from "./types.ts";

/** Return the letters of a side's lost pieces, in the order of the piece types. A promoted soldier is not lost. */
export function lost(side: Side, start: PieceOn[], now: PieceOn[], pieceTypes: PieceType[]): string[] {
  const count = (pieces: PieceOn[], letter: string) =>
    pieces.filter((piece) => piece.side === side && piece.letter === letter).length;
  const missing = new Map(pieceTypes.map(({ letter }) => [letter, count(start, letter) - count(now, letter)]));
  for (const { letter } of pieceTypes) {
    let promoted = -Math.min(missing.get(letter) ?? 0, 0);
    for (const kind of pieceTypes) {
      const left = missing.get(kind.letter) ?? 0;
      if (promoted <= 0 || left <= 0 || !kind.promotes_to.includes(letter)) continue;
      const matched = Math.min(promoted, left);
      missing.set(kind.letter, left - matched);
      promoted -= matched;
    }
  }
  return pieceTypes.flatMap(({ letter }) => Array<string>(Math.max(missing.get(letter) ?? 0, 0)).fill(letter));
}
