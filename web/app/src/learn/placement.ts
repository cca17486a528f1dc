// Positions put together by hand, for diagrams. What may be done in them only the rules know.

import type { PieceOn } from "../wire";

const FILES = "abcdefghijklmnop";

/** What a tap on a square puts there. */
export type Tool = "enemy" | "friend" | "move";

/** A diagram: one piece whose ways are shown, and others beside it. */
export interface Arrangement {
  /** Where the piece stands. */
  at: string;
  letter: string;
  others: Record<string, "enemy" | "friend">;
}

/** The arrangement after a tap on a square: the same again takes away. */
export function tapped(before: Arrangement, square: string, tool: Tool): Arrangement {
  if (square === before.at) return before;
  const { [square]: there, ...rest } = before.others;
  if (tool === "move") return { ...before, at: square, others: rest };
  return { ...before, others: there === tool ? rest : { ...rest, [square]: tool } };
}

/** Everything that stands on the board; `other` is the kind of those that are only in the way. */
export function pieces({ at, letter, others }: Arrangement, other: string): PieceOn[] {
  const beside = Object.entries(others).map(
    ([square, whose]): PieceOn => ({ square, letter: other, side: whose === "friend" ? "white" : "black" }),
  );
  return [{ square: at, letter, side: "white" }, ...beside];
}

/** A FEN of pieces, with White to move and the rights of the game's start, so that first moves are shown too. */
export function fenOf(standing: PieceOn[], files: number, ranks: number, startFen: string): string {
  const at = new Map(standing.map((piece) => [piece.square, piece]));
  const rows: string[] = [];
  for (let rank = ranks; rank >= 1; rank--) {
    let row = "";
    let empty = 0;
    for (const file of FILES.slice(0, files)) {
      const piece = at.get(`${file}${rank}`);
      if (!piece) {
        empty++;
        continue;
      }
      row += (empty || "") + (piece.side === "white" ? piece.letter : piece.letter.toLowerCase());
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  return `${rows.join("/")} w ${startFen.split(" ")[2] ?? "-"} - 0 1`;
}
