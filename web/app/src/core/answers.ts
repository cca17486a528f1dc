// What the server answers about positions, from the core in this browser: the same answers.

import { Board } from "../../../core/src/board.ts";
import type { Game } from "../../../core/src/game.ts";
import type { Idle, MovesMade, MovesRequest, Position, PositionRequest, Reach } from "../wire";
import { makeMove } from "./trees";

export { attacks, edited } from "./edits";
export { pgn, record, tree } from "./trees";

/** The position after some moves from a setup or a FEN. */
export function position(game: Game, { setup, fen, moves = [] }: Omit<PositionRequest, "game">): Position {
  const start = setup == null ? fen : game.setups.fen(/^\d+$/.test(setup) ? Number(setup) : setup);
  const board = new Board(game, start == null ? {} : { fen: start });
  for (const move of moves) board.push(board.parseUci(move));
  return board.position();
}

/** Makes moves, in coordinates or SAN. */
export function moves(game: Game, { fen, moves }: Pick<MovesRequest, "fen" | "moves">): MovesMade {
  const board = new Board(game, { fen });
  const nodes = moves.map((text, index) => makeMove(board, text, index - 1));
  return { nodes, position: board.position() };
}

/** Where the piece on a square could go: now, after a move of the other side, or if it stood alone on the board. */
export function reach(game: Game, fen: string, square: string, premove: boolean, alone: string | null): Reach[] {
  if (alone !== null) return game.reachAlone(alone, square);
  // Diagrams have no Kings.
  const board = new Board(game, { fen, unfinished: true });
  return premove ? board.premoves(square) : board.reach(square);
}

/** Why the piece on a square has no legal move. */
export function idle(game: Game, fen: string, square: string): Idle {
  return { reason: new Board(game, { fen }).whyIdle(square) };
}
