// What the server answers about positions and trees of moves, from the core in this browser: the same answers.

import { symbolOf } from "@acedrex/board";
import * as core from "../../../core/src/answers.ts";
import { Board } from "../../../core/src/board.ts";
import type { Game } from "../../../core/src/game.ts";
import type { MoveList } from "../../../core/src/move-list.ts";
import type {
  Attacks,
  Edited,
  EditRequest,
  Idle,
  MovesMade,
  MovesRequest,
  Position,
  PositionRequest,
  Reach,
  Tree,
  TreeRequest,
} from "../wire";

type TreeAsked = Omit<TreeRequest, "game" | "options">;

/** The position after some moves from a setup or a FEN. */
export function position(game: Game, { setup, fen, moves = [] }: Omit<PositionRequest, "game">): Position {
  const start = setup == null ? fen : game.setups.fen(/^\d+$/.test(setup) ? Number(setup) : setup);
  const board = new Board(game, start == null ? {} : { fen: start });
  for (const move of moves) board.push(board.parseUci(move));
  return board.position();
}

/** Makes moves, in coordinates or SAN. */
export const moves = (game: Game, { fen, moves }: Pick<MovesRequest, "fen" | "moves">): MovesMade =>
  core.movesMade(new Board(game, { fen }), moves) as MovesMade;

/** Reads a tree whose moves are in coordinates or SAN. */
export const tree = (game: Game, request: TreeAsked): Tree => core.readTree(startOf(game, request), request) as Tree;

/** Writes a tree as PGN. */
export const pgn = (game: Game, request: TreeAsked): string => `${core.writeTree(startOf(game, request), request)}\n`;

function startOf(game: Game, { setup, fen }: TreeAsked): Board {
  return new Board(game, setup ? { setup } : fen ? { fen } : {});
}

/** Makes a tree of what was read of a PGN. */
export function record(game: Game, list: MoveList): Tree {
  const { id, chosenOptions: options, name, rulesHash: rules_hash } = game;
  const { startFen: start_fen, setup, comment, tags, moves: nodes, errors: faults, more } = list;
  return { game: id, options, name, rules_hash, start_fen, setup, comment, tags, nodes, faults, more };
}

/** Counts the attackers of each square, and lists the pieces that could be captured at a profit. */
export const attacks = (game: Game, fen: string): Attacks => core.attackReport(new Board(game, { fen })) as Attacks;

/** Returns an edited position, legal or not, without the rights whose pieces are missing. */
export function edited(game: Game, { fen, pieces = [], turn, rights = "" }: Omit<EditRequest, "game">): Edited {
  const board = fen == null ? new Board(game) : new Board(game, { fen, unfinished: true });
  if (fen == null) {
    board.clear();
    for (const piece of pieces) board.setPieceAt(piece.square, symbolOf(piece));
    board.turn = turn ?? "white";
    board.rights = core.possibleRights(board, rights);
  }
  return core.edited(board) as Edited;
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
