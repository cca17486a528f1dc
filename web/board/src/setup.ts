// The setup phase: the pieces of each group are arranged on Black's squares, and White's mirror them.

import type { PieceOn, SetupGroup, SetupPhase, Square } from "./types.ts";

/** The letters of pieces by Black's squares. */
export type Arrangement = Readonly<Record<Square, string>>;

/** Read a setup's name: letters in the order of the squares, groups joined by "-". Groups that do not fit are empty. */
export function arrange(phase: SetupPhase, name: string): Arrangement {
  const texts = name.split("-");
  const placed: Record<Square, string> = {};
  phase.groups.forEach((group, index) => {
    const letters = [...(texts[index] ?? "").matchAll(/[A-Z]['!]?/g)].map(([letter]) => letter);
    if (letters.toSorted().join() !== group.pieces.toSorted().join()) return;
    group.squares.forEach((square, at) => {
      placed[square] = letters[at] as string;
    });
  });
  return placed;
}

/** Return the name of an arrangement, `null` while a square is free. */
export function nameOf(phase: SetupPhase, arrangement: Arrangement): string | null {
  if (phase.groups.some((group) => group.squares.some((square) => !arrangement[square]))) return null;
  return phase.groups.map((group) => group.squares.map((square) => arrangement[square]).join("")).join("-");
}

/** Return the group's pieces that are not on the board yet. */
export function tray(group: SetupGroup, arrangement: Arrangement): string[] {
  const left = [...group.pieces];
  for (const square of group.squares) {
    const at = left.indexOf(arrangement[square] ?? "");
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

export function groupOf(phase: SetupPhase, square: Square): number {
  return phase.groups.findIndex((group) => group.squares.includes(square));
}

/** Return the squares of its group where a piece can stand. */
export function allowed(group: SetupGroup, letter: string): Square[] {
  return group.only[letter] ?? group.squares;
}

/** Return the free squares where a piece of the tray can stand. */
export function toFill(phase: SetupPhase, arrangement: Arrangement): Square[] {
  return phase.groups.flatMap((group) => {
    const squares = tray(group, arrangement).flatMap((letter) => allowed(group, letter));
    return group.squares.filter((square) => !arrangement[square] && squares.includes(square));
  });
}

/** Move a piece of a group between squares and the tray, which is `null`. */
export function place(
  phase: SetupPhase,
  arrangement: Arrangement,
  letter: string,
  from: Square | null,
  to: Square | null,
): Arrangement {
  const next = { ...arrangement };
  if (from !== null) delete next[from];
  if (to === null) return next;
  const group = phase.groups[groupOf(phase, to)];
  const other = arrangement[to];
  next[to] = letter;
  // The piece on the destination swaps places, or goes to the tray if it cannot stand there.
  if (group && other && from !== null && from !== to && allowed(group, other).includes(from)) next[from] = other;
  return next;
}

/** Return the pieces on the board: the fixed ones of a position, the arrangement, and its mirror. */
export function withArrangement(pieces: PieceOn[], phase: SetupPhase, arrangement: Arrangement): PieceOn[] {
  const free = new Set(phase.groups.flatMap((group) => [...group.squares, ...group.mirror]));
  const placed = phase.groups.flatMap((group) =>
    group.squares.flatMap((square, at): PieceOn[] => {
      const letter = arrangement[square];
      if (!letter) return [];
      return [
        { square, letter, side: "black" },
        { square: group.mirror[at] as Square, letter, side: "white" },
      ];
    }),
  );
  return [...pieces.filter((piece) => !free.has(piece.square)), ...placed];
}
