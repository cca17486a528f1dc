// The pieces that each side has lost since the start.

import type { PieceKind, PieceOn, Side } from "./types.ts";

/** Return the letters of a side's lost pieces, in the order of the kinds. A promoted soldier is not lost. */
export function lost(side: Side, start: PieceOn[], now: PieceOn[], kinds: PieceKind[]): string[] {
  const count = (pieces: PieceOn[], letter: string) =>
    pieces.filter((piece) => piece.side === side && piece.letter === letter).length;
  const missing = new Map(kinds.map(({ letter }) => [letter, count(start, letter) - count(now, letter)]));
  for (const { letter } of kinds) {
    let promoted = -Math.min(missing.get(letter) ?? 0, 0);
    for (const kind of kinds) {
      const left = missing.get(kind.letter) ?? 0;
      if (promoted <= 0 || left <= 0 || !kind.promotes_to.includes(letter)) continue;
      const matched = Math.min(promoted, left);
      missing.set(kind.letter, left - matched);
      promoted -= matched;
    }
  }
  return kinds.flatMap(({ letter }) => Array<string>(Math.max(missing.get(letter) ?? 0, 0)).fill(letter));
}
