// Judges attempts at puzzles without the server, by the same rules as `acedrex.lessons.puzzle`.

import type { Board } from "../core";
import type { AttemptResult, Puzzle } from "../wire";
import { loadGame } from "./load";

type Verdict = AttemptResult["verdict"];

/** Judges the last move of an attempt, or shows the solution; without a move it gives the position to begin from. */
export async function judge(id: string, puzzle: Puzzle, moves: string[], show: boolean): Promise<AttemptResult> {
  const { core, game } = await loadGame({ game: id });
  const board = () => new core.Board(game, { fen: puzzle.fen });
  const [verdict, accepted]: [Verdict, string[]] = show ? ["shown", puzzle.line] : judged(board(), puzzle, moves);
  const after = board();
  for (const move of accepted) after.push(move);
  const position = after.position();
  const over = verdict === "solved" || verdict === "shown";
  return { verdict, moves: accepted, position: over ? { ...position, legal: [] } : position };
}

function judged(board: Board, { goal, line }: Puzzle, moves: string[]): [Verdict, string[]] {
  const withReplies = goal === "mate" || goal === "win" || goal === "defence";
  const rest = [...line];
  const goesOn = (move: string): boolean => {
    const place = withReplies ? (rest[0] === move ? 0 : -1) : rest.indexOf(move);
    if (place < 0) return false;
    rest.splice(place, 1);
    board.push(move);
    return withReplies || canBeMade(board, rest);
  };
  const before = moves.slice(0, -1);
  const last = moves.at(-1);
  if (last === undefined) return ["right", []];
  if (!before.every(goesOn) || !goesOn(last)) return ["wrong", before];
  if (rest.length === 0) return ["solved", moves];
  return ["right", withReplies ? [...moves, ...rest.slice(0, 1)] : moves];
}

/** Whether moves can be made one after another in some order. */
function canBeMade(board: Board, moves: string[]): boolean {
  return (
    moves.length === 0 ||
    moves.some((move, index) => {
      if (!board.isLegal(move)) return false;
      const after = board.copy();
      after.push(move);
      return canBeMade(after, moves.toSpliced(index, 1));
    })
  );
}
