// Scores as text, marks for weak moves, and the points of the graph.

import type { Core } from "../core";
import type { Evaluation, Finding, Side } from "../wire";

export const verdicts = ["inaccuracy", "mistake", "blunder"] as const;
export type Verdict = (typeof verdicts)[number];

/** The least loss of winning chances, from 0 to 1, that earns each verdict. */
const LEAST_LOSS: Record<Verdict, number> = { inaccuracy: 0.1, mistake: 0.2, blunder: 0.3 };

/** The PGN glyph of each verdict. */
export const GLYPHS: Record<Verdict, { nag: number; sign: string }> = {
  inaccuracy: { nag: 6, sign: "?!" },
  mistake: { nag: 2, sign: "?" },
  blunder: { nag: 4, sign: "??" },
};

/** The signs of PGN glyphs by their number. */
export const SIGNS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** Returns the verdict on a move from the scores before and after it, `null` if it lost little. */
export function verdict(before: Evaluation, after: Evaluation, side: Side): Verdict | null {
  const lost = (before.chance - after.chance) * (side === "white" ? 1 : -1);
  return [...verdicts].reverse().find((name) => lost >= LEAST_LOSS[name]) ?? null;
}

/** A weak move, and the better line. */
export interface Mark {
  verdict: Verdict;
  best: string[];
  san: string;
}

/**
 * Returns the marks of a line's weak moves by node.
 * @param line the nodes of the line, the start first; finding n is of the position after the n-th.
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

/** What a review says about a move in PGN: a glyph, and the evaluation after it in the comment. */
export interface Note {
  nag: number | null;
  score: Evaluation | null;
}

/** Returns the notes of a review by node; a turn of several moves has its evaluation after the last. */
export function notes(
  line: readonly number[],
  found: readonly Finding[],
  marked: ReadonlyMap<number, Mark>,
  sideOf: (node: number) => Side,
): Map<number, Note> {
  const noted = new Map<number, Note>();
  for (const [index, node] of line.entries()) {
    const [score, next] = [found[index]?.score, line[index + 1]];
    if (index === 0 || !score) continue;
    const mark = marked.get(node);
    const ends = next === undefined || sideOf(next) !== sideOf(node);
    // Checkmate says it all.
    const told = ends && score.mate !== 0;
    noted.set(node, { nag: mark ? GLYPHS[mark.verdict].nag : null, score: told ? score : null });
  }
  return noted;
}

/**
 * Adds a note to a move, unless the move has a mark or an evaluation of its own.
 * @param core what writes evaluations; without it only the glyph is added.
 */
export function withNote<Node extends { comment: string; nags: number[] }>(
  node: Node,
  { nag, score }: Note,
  core: Pick<Core, "evaluationOf" | "withEvaluation"> | null,
): Node {
  const isMarked = nag === null || node.nags.some((nag) => nag in SIGNS);
  const isEvaluated = !score || core?.evaluationOf(node.comment);
  const comment = isEvaluated ? node.comment : core?.withEvaluation(node.comment, { cp: score.cp, mate: score.mate });
  return {
    ...node,
    nags: isMarked ? node.nags : [...node.nags, nag],
    comment: comment ?? node.comment,
  };
}

/** Writes a score as "+0.35", "−2.10", "#3" or "#−2"; checkmate on the board is "#". */
export function scoreText({ cp, mate }: Evaluation): string {
  const signed = (number: number, text: string) => (number > 0 ? `+${text}` : number < 0 ? `−${text}` : text);
  if (mate !== null) return mate === 0 ? "#" : `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  return cp === null ? "" : signed(cp, (Math.abs(cp) / 100).toFixed(2));
}

/** Writes a score in at most four characters. */
export function briefScore(score: Evaluation): string {
  const pawns = (score.cp ?? 0) / 100;
  if (score.cp === null) return scoreText(score);
  return Math.abs(pawns).toFixed(Math.abs(pawns) < 9.95 ? 1 : 0);
}

/** Writes a large number in thousands or millions. */
export function short(number: number): string {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${Math.round(number / 1e3)} k` : String(number);
}

/** Returns the points of the graph: x counts half-moves, y runs from 0, where White wins, to 1. */
export function graphPoints(found: readonly Finding[]): { x: number; y: number }[] {
  return found.map(({ ply, score }) => ({ x: ply, y: 1 - score.chance }));
}
