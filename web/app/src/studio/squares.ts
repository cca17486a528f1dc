// Lists of squares as the format writes them, such as `d1-f3 rank 2`. What is wrong in them is for the core to say.

import { fileOf, rankOf, type Size, squareName } from "@acedrex/board";
import { loadedCore } from "../core";

/** Returns the squares of a list in the order of the text; what has no meaning on the board is left out. */
export function readSquares(text: string, { files, ranks }: Size): string[] {
  return loadedCore()?.editing.knownSquares(text, files, ranks) ?? [];
}

/** Writes squares: as a block if they are one, otherwise one by one. */
export function writeSquares(squares: readonly string[]): string {
  const files = squares.map(fileOf);
  const ranks = squares.map(rankOf);
  const [left, right, low, high] = [Math.min(...files), Math.max(...files), Math.min(...ranks), Math.max(...ranks)];
  const isBlock = squares.length > 2 && (right - left + 1) * (high - low + 1) === squares.length;
  return isBlock ? `${squareName(left, low)}-${squareName(right, high)}` : squares.join(" ");
}
