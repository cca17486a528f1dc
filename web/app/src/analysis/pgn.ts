// PGN of an analysis, and of a match that was reviewed.

import * as ask from "../client/analysis";
import { theCore } from "../core";
import { Refusal } from "../refusal";
import type { GameChoice, Job, Tree as ServerTree } from "../wire";
import { saveText } from "./files";
import { marks, type Note, notes, withNote } from "./judge";
import { matchAnalysis, readSaved } from "./saved";
import { grown, listed, mainline, movesOf, nodeOf, START, type Tree } from "./tree";

export function savePgn(text: string, name: string): void {
  saveText(text, "application/x-chess-pgn", name);
}

/** Returns the PGN of a tree, with the notes of a review by node. */
export async function pgnOf(
  choice: GameChoice,
  tree: Tree,
  tags: Record<string, string>,
  noted: ReadonlyMap<number, Note>,
): Promise<string> {
  const { nodes, places } = listed(tree);
  const core = noted.size > 0 ? await theCore() : null;
  for (const [node, note] of noted) {
    const place = places.get(node) ?? -1;
    const written = nodes[place];
    if (written) nodes[place] = withNote(written, note, core);
  }
  const { fen, comment } = nodeOf(tree, START);
  return ask.pgn({ ...choice, fen, nodes, comment, tags });
}

/**
 * Reads the first game of a PGN. Moves without any tag are of the game on the screen, or of chess, if they fit that
 * better; a PGN with tags that name no game is of chess.
 */
export async function readRecord(pgn: string, { game, options = {} }: GameChoice): Promise<ServerTree> {
  const isChess = game === "chess" && Object.keys(options).length === 0;
  if (isChess || /^[ \t\uFEFF]*\[\s*\w/m.test(pgn)) return ask.record(pgn);
  const chosen = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  // On the line of the first move, so that faults have the right lines.
  const tags = `[Variant "${game}"]${chosen.length > 0 ? `[Options "${chosen}"]` : ""} `;
  const found = await ask.record(tags + pgn).catch(() => null);
  if (found && found.faults.length === 0) return found;
  const asChess = await ask.record(pgn);
  return found && found.faults.length <= asChess.faults.length && found.nodes.length > 0 ? found : asChess;
}

/** Returns the PGN of a match with the review that was made in this browser; `null` if there is none. */
export async function reviewedPgn(match: string): Promise<string | null> {
  // A browser that stores nothing has no review.
  const saved = await readSaved(matchAnalysis(match)).catch(() => null);
  if (!saved?.job) return null;
  const { found } = saved.job;
  const [record, job] = await Promise.all([
    ask.matchPgn(match).then(ask.record),
    found ? { found } : jobOf(saved.job.job),
  ]);
  const tree = grown(record);
  const line = mainline(tree);
  // The review may be of another line, which was made the main line of the analysis.
  if (!job || String(movesOf(tree, line)) !== String(movesOf(saved.tree, saved.job.line))) return null;
  const playedBy = (node: number) => nodeOf(tree, node);
  const noted = notes(line, job.found, marks(line, job.found, playedBy), (node) => playedBy(node).side);
  const { game, options, tags } = record;
  return pgnOf({ game, options }, tree, tags, noted);
}

function jobOf(id: string): Promise<Job | null> {
  return ask.job(id, -1).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "no_such_job") return null;
    throw error;
  });
}
