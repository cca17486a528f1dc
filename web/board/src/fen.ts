// Reading the placement of a FEN, for pictures. What may be played there only the rules know.

import { squareName } from "./squares.ts";
import type { PieceOn, Position } from "./types.ts";

/** The pieces of a FEN's first field. What it does not understand it leaves out. */
export function readPlacement(fen: string): PieceOn[] {
  const rows = (fen.split(" ", 1)[0] ?? "").split("/");
  return rows.flatMap((row, index) => {
    const rank = rows.length - 1 - index;
    const found: PieceOn[] = [];
    let file = 0;
    for (const [token] of row.matchAll(/\d+|[A-Za-z]['!]?/g)) {
      if (/\d/.test(token)) {
        file += Number(token);
        continue;
      }
      const letter = token.toUpperCase();
      found.push({ square: squareName(file, rank), letter, side: token === letter ? "white" : "black" });
      file += 1;
    }
    return found;
  });
}

/** A position to look at: nothing can be played in it. */
export function stillPosition(fen: string): Position {
  return {
    fen,
    turn: fen.split(" ")[1] === "b" ? "black" : "white",
    ply: 0,
    pieces: readPlacement(fen),
    turn_moves: [],
    moves_left: 0,
    moved: [],
    in_command: null,
    check: [],
    legal: [],
    last: [],
    claimable: [],
  };
}
