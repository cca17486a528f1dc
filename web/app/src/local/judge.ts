// Judges attempts at puzzles without the server.

import type { AttemptResult, Puzzle } from "../wire";
import { loadGame } from "./load";

/** Judges the last move of an attempt, or shows the solution; without a move it gives the position to begin from. */
export async function judge(id: string, puzzle: Puzzle, tried: string[], show: boolean): Promise<AttemptResult> {
  const { core, game } = await loadGame({ game: id });
  const board = new core.Board(game, { fen: puzzle.fen });
  const { goal, line } = puzzle;
  const judged = show ? { verdict: "shown", moves: line } : core.attempt(board, goal, line, tried);
  const { verdict, moves } = judged as Pick<AttemptResult, "verdict" | "moves">;
  for (const move of moves) board.push(move);
  const position = board.position();
  const over = verdict === "solved" || verdict === "shown";
  return { verdict, moves, position: over ? { ...position, legal: [] } : position, rated: null };
}
