// What a server answers about positions and trees of moves. The core writes it in the shapes of the server's messages.

import * as core from "../compiled/core.js";
import { type Board, coreOf } from "./board.ts";
import { guard } from "./errors.ts";

/** A move of a tree, in coordinates or SAN, by the place of the one before it in the list; -1 for a first move. */
export interface GivenMove {
  parent: number;
  move: string;
  comment?: string;
  nags?: number[];
}

/** A tree of moves in depth-first order, with what is said before the first and about the game. */
export interface GivenTree {
  nodes?: GivenMove[];
  comment?: string;
  tags?: Record<string, string>;
}

/** How many pieces attack each square, and which captures win something. */
export const attackReport = (board: Board): unknown => JSON.parse(guard(() => coreOf(board).attack_report()));

/** A position that is being edited: the rights that it could have, and why it cannot be played. */
export const edited = (board: Board): unknown => JSON.parse(guard(() => coreOf(board).edited()));

/** Those of some rights whose pieces are in place. */
export const possibleRights = (board: Board, rights: string): string =>
  guard(() => coreOf(board).possible_rights(rights));

/** Moves, in coordinates or SAN, and the position after them. */
export const movesMade = (board: Board, moves: string[]): unknown =>
  JSON.parse(guard(() => coreOf(board).moves_made(moves)));

/** A tree with its moves in full. */
export const readTree = (start: Board, tree: GivenTree): unknown =>
  JSON.parse(withTree(tree, (built, comment, tags) => built.read(coreOf(start), comment, tags)));

/** A tree as PGN. */
export const writeTree = (start: Board, tree: GivenTree): string =>
  withTree(tree, (built, comment, tags) => built.pgn(coreOf(start), comment, tags));

function withTree<T>(
  { nodes = [], comment = "", tags = {} }: GivenTree,
  ask: (built: core.Tree, comment: string, tags: string[]) => T,
): T {
  return guard(() => {
    const built = new core.Tree();
    try {
      for (const { parent, move, comment = "", nags = [] } of nodes)
        built.add_move(parent, move, comment, Uint8Array.from(nags));
      return ask(built, comment, Object.entries(tags).flat());
    } finally {
      built.free();
    }
  });
}
