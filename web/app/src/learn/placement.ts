// Positions of diagrams, arranged by hand. What is legal in them is for the server to say.

import { readHoles, squareName, symbolOf } from "@acedrex/board";
import type { PieceOn } from "../wire";

/** What tapping a square puts there. */
export type Tool = "enemy" | "friend" | "move";

/** A diagram: the piece whose moves are shown, and other pieces. */
export interface Arrangement {
  /** Where the piece stands. */
  at: string;
  letter: string;
  others: Record<string, "enemy" | "friend">;
}

/** Returns the arrangement after a tap on a square; a second tap with the same tool removes the piece. */
export function tapped(before: Arrangement, square: string, tool: Tool): Arrangement {
  if (square === before.at) return before;
  const { [square]: there, ...rest } = before.others;
  if (tool === "move") return { ...before, at: square, others: rest };
  return { ...before, others: there === tool ? rest : { ...rest, [square]: tool } };
}

/** Returns all pieces on the board; the other pieces are of the kind `other`. */
export function pieces({ at, letter, others }: Arrangement, other: string): PieceOn[] {
  const rest = Object.entries(others).map(
    ([square, whose]): PieceOn => ({ square, letter: other, side: whose === "friend" ? "white" : "black" }),
  );
  return [{ square: at, letter, side: "white" }, ...rest];
}

/**
 * Returns the FEN of pieces, with White to move, and with the holes and the rights of the start, so that first moves are
 * shown too.
 */
export function fenOf(
  standing: PieceOn[],
  files: number,
  ranks: number,
  startFen: string,
  holes: ReadonlySet<string> = readHoles(startFen),
): string {
  const at = new Map(standing.map((piece) => [piece.square, symbolOf(piece)]));
  for (const hole of holes) if (!at.has(hole)) at.set(hole, "*");
  const rows: string[] = [];
  for (let rank = ranks - 1; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < files; file++) {
      const token = at.get(squareName(file, rank));
      if (!token) {
        empty++;
        continue;
      }
      row += (empty || "") + token;
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  return `${rows.join("/")} w ${startFen.split(" ")[2] ?? "-"} - 0 1`;
}
