// Reads the placement of a FEN, for pictures.

import { squareName } from "./squares.ts";
import type { PieceOn, Position, Square } from "./types.ts";

/** Return the pieces of a FEN's first field, without those that cannot be read. */
export function readPlacement(fen: string): PieceOn[] {
  return tokens(fen).flatMap(({ square, token }) => {
    if (token === "*") return [];
    const letter = token.toUpperCase();
    return [{ square, letter, side: token === letter ? "white" : "black" }];
  });
}

/** Return the squares that a FEN's first field marks as holes in the board. */
export function readHoles(fen: string): ReadonlySet<Square> {
  return new Set(tokens(fen).flatMap(({ square, token }) => (token === "*" ? square : [])));
}

/** Return the squares of a FEN's first field that are not empty, with what it has there. */
function tokens(fen: string): { square: Square; token: string }[] {
  const rows = (fen.split(" ", 1)[0] ?? "").split("/");
  return rows.flatMap((row, index) => {
    const rank = rows.length - 1 - index;
    const found = [];
    let file = 0;
    for (const [token] of row.matchAll(/\d+|\*|[A-Za-z]['!]?/g)) {
      const run = Number(token);
      if (!run) found.push({ square: squareName(file, rank), token });
      file += run || 1;
    }
    return found;
  });
}

/** Return a piece's letter as in FEN: a capital for White, small for Black. */
export function symbolOf({ letter, side }: Pick<PieceOn, "letter" | "side">): string {
  return side === "white" ? letter : letter.toLowerCase();
}

/** Return a FEN without the moves of an unfinished turn, its last field, which alone has small letters after the fourth. */
export function turnStart(fen: string): string {
  const fields = fen.split(" ");
  return /[a-z]/.test(fields.slice(4).join(" ")) ? fields.slice(0, -1).join(" ") : fen;
}

/** Return the position of a FEN as a picture, without legal moves. */
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
    commanders: [],
    last_turn: [],
    check: [],
    legal: [],
    last: [],
    claimable: [],
  };
}
