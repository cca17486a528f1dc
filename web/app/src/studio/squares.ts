// Lists of squares as the format writes them, such as `d1-f3 rank 2`. What is wrong in them is for the core to say.

import type { Size } from "./kinds";

const FILES = "abcdefghijklmnop";

/** Returns the squares of a list in the order of the text; what has no meaning on the board is left out. */
export function readSquares(text: string, { files, ranks }: Size): string[] {
  const found = new Set<string>();
  const add = ([left, right]: Range, [low, high]: Range): void => {
    if (left < 0 || right >= files || low < 1 || high > ranks) return;
    for (let rank = low; rank <= high; rank++)
      for (let file = left; file <= right; file++) found.add(`${FILES[file]}${rank}`);
  };
  const all: { files: Range; ranks: Range } = { files: [0, files - 1], ranks: [1, ranks] };
  const words = text.split(/[\s,]+/).filter(Boolean);
  for (let index = 0; index < words.length; index++) {
    const [word = "", next = ""] = words.slice(index, index + 2);
    const [from, to = from] = (/^(rank|file)s?$/.test(word) ? next : word).split("-") as [string, string?];
    if (word === "all") add(all.files, all.ranks);
    else if (word === "last" && next === "rank") add(all.files, [ranks, ranks]);
    else if (/^ranks?$/.test(word)) add(all.files, [rankOf(from), rankOf(to)]);
    else if (/^files?$/.test(word)) add([fileOf(from, 1), fileOf(to, 1)], all.ranks);
    else add([fileOf(from), fileOf(to)], [rankOf(from.slice(1)), rankOf(to.slice(1))]);
    if (/^(last|ranks?|files?)$/.test(word)) index++;
  }
  return [...found];
}

type Range = readonly [from: number, to: number];

function rankOf(text: string): number {
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

function fileOf(text: string, length = text.length): number {
  return text.length === length ? FILES.indexOf(text[0] || "?") : -1;
}

/** Writes squares: as a block if they are one, otherwise one by one. */
export function writeSquares(squares: readonly string[]): string {
  const files = squares.map((square) => fileOf(square));
  const ranks = squares.map((square) => rankOf(square.slice(1)));
  const [left, right, low, high] = [Math.min(...files), Math.max(...files), Math.min(...ranks), Math.max(...ranks)];
  const isBlock = squares.length > 2 && (right - left + 1) * (high - low + 1) === squares.length;
  return isBlock ? `${FILES[left]}${low}-${FILES[right]}${high}` : squares.join(" ");
}
