// What the engine's numbers mean: words for scores, marks for moves that gave something away, points of the graph.

import type { Evaluation, Finding, Side } from "../wire";

export const verdicts = ["inaccuracy", "mistake", "blunder"] as const;
export type Verdict = (typeof verdicts)[number];

/** How much of what one may expect from a game, from 0 to 1, a move has to give away. */
const LEAST: Record<Verdict, number> = { inaccuracy: 0.1, mistake: 0.2, blunder: 0.3 };

/** What records write for them. */
export const GLYPHS: Record<Verdict, { nag: number; sign: string }> = {
  inaccuracy: { nag: 6, sign: "?!" },
  mistake: { nag: 2, sign: "?" },
  blunder: { nag: 4, sign: "??" },
};

/** Signs of glyphs by their number. */
export const SIGNS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** What a move deserves to be called, by what its side could expect before it and after. */
export function verdict(before: Evaluation, after: Evaluation, side: Side): Verdict | null {
  const lost = (before.chance - after.chance) * (side === "white" ? 1 : -1);
  return [...verdicts].reverse().find((name) => lost >= LEAST[name]) ?? null;
}

/** A move that gave something away, and what would have been better. */
export interface Mark {
  verdict: Verdict;
  best: string[];
  san: string;
}

/**
 * The marks of a line by its moves' numbers.
 * @param line the numbers of the moves, the start first; finding n is of the position behind the n-th.
 */
export function marks(
  line: readonly number[],
  found: readonly Finding[],
  playedBy: (node: number) => { side: Side; move: string },
): Map<number, Mark> {
  const marked = new Map<number, Mark>();
  for (let index = 1; index < line.length; index++) {
    const [node, before, after] = [line[index], found[index - 1], found[index]];
    if (node === undefined || !before || !after) continue;
    const { side, move } = playedBy(node);
    if (before.best[0] === move) continue;
    const name = verdict(before.score, after.score, side);
    if (name) marked.set(node, { verdict: name, best: before.best, san: before.san });
  }
  return marked;
}

/** "+0.35", "−2.10", "#3", "#−2"; a mate on the board is "#". */
export function scoreText({ cp, mate }: Evaluation): string {
  const signed = (number: number, text: string) => (number > 0 ? `+${text}` : number < 0 ? `−${text}` : text);
  if (mate !== null) return mate === 0 ? "#" : `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  return cp === null ? "" : signed(cp, (Math.abs(cp) / 100).toFixed(2));
}

/** A score in four signs, for narrow places. */
export function briefScore(score: Evaluation): string {
  const pawns = (score.cp ?? 0) / 100;
  if (score.cp === null) return scoreText(score);
  return Math.abs(pawns).toFixed(Math.abs(pawns) < 9.95 ? 1 : 0);
}

/** Thousands and millions in few signs. */
export function short(number: number): string {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${Math.round(number / 1e3)} k` : String(number);
}

/** The points of the graph in a box of width `plies` and height 1; White's chances are up. */
export function graphPoints(found: readonly Finding[]): { x: number; y: number }[] {
  return found.map(({ ply, score }) => ({ x: ply, y: 1 - score.chance }));
}
