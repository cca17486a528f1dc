// Lists of squares as the format writes them, such as `d1-f3 rank 2`. What is wrong in them is for the core to say.

import { fileOf, rankOf, type Size, squareName } from "@acedrex/board";

/** Returns the squares of a list in the order of the text; what has no meaning on the board is left out. */
export function readSquares(text: string, { files, ranks }: Size): string[] {
  const found = new Set<string>();
  const add = ([left, right]: Range, [low, high]: Range): void => {
    if (!(left >= 0 && right < files && low >= 0 && high < ranks)) return;
    for (let rank = low; rank <= high; rank++)
      for (let file = left; file <= right; file++) found.add(squareName(file, rank));
  };
  const all: { files: Range; ranks: Range } = { files: [0, files - 1], ranks: [0, ranks - 1] };
  const words = text.split(/[\s,]+/).filter(Boolean);
  for (let index = 0; index < words.length; index++) {
    const [word = "", next = ""] = words.slice(index, index + 2);
    const [from, to = from] = (/^(rank|file)s?$/.test(word) ? next : word).split("-") as [string, string?];
    if (word === "all") add(all.files, all.ranks);
    else if (word === "last" && next === "rank") add(all.files, [ranks - 1, ranks - 1]);
    else if (/^ranks?$/.test(word)) add(all.files, [rankIn(from), rankIn(to)]);
    else if (/^files?$/.test(word)) add([fileIn(from), fileIn(to)], all.ranks);
    else add([fileIn(from.charAt(0)), fileIn(to.charAt(0))], [rankIn(from.slice(1)), rankIn(to.slice(1))]);
    if (/^(last|ranks?|files?)$/.test(word)) index++;
  }
  return [...found];
}

type Range = readonly [from: number, to: number];

function rankIn(text: string): number {
  return /^\d{1,2}$/.test(text) ? Number(text) - 1 : Number.NaN;
}

function fileIn(text: string): number {
  return /^[a-p]$/.test(text) ? fileOf(text) : Number.NaN;
}

/** Writes squares: as a block if they are one, otherwise one by one. */
export function writeSquares(squares: readonly string[]): string {
  const files = squares.map(fileOf);
  const ranks = squares.map(rankOf);
  const [left, right, low, high] = [Math.min(...files), Math.max(...files), Math.min(...ranks), Math.max(...ranks)];
  const isBlock = squares.length > 2 && (right - left + 1) * (high - low + 1) === squares.length;
  return isBlock ? `${squareName(left, low)}-${squareName(right, high)}` : squares.join(" ");
}
