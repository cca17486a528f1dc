// The tree of a game in PGN as a list of moves: plain data, which a worker can send.

import { type Board, release } from "./board.ts";
import type { Definition } from "./game.ts";
import { type PgnGame, type PgnNode, readPgn } from "./pgn.ts";
import type { Side } from "./types.ts";

/** A move of a tree. */
export interface ListedMove {
  /** The place in the list of the move before it; -1 for a first move. */
  parent: number;
  move: string;
  san: string;
  side: Side;
  /** The move number. */
  turn: number;
  /** The position after the move. */
  fen: string;
  comment: string;
  nags: number[];
}

/** A game with its moves, depth first: each variation to its end, then the next. */
export interface MoveList {
  /** The game's id; `null` if the game or its start is unknown: then there are no moves, and the first error says why. */
  game: string | null;
  /** The options that differ from their defaults. */
  options: Record<string, string>;
  startFen: string;
  headers: Record<string, string>;
  comment: string;
  moves: ListedMove[];
  /** What was wrong in the text, and what was left out, with lines and columns. */
  errors: string[];
  /** Whether the text has more games. */
  more: boolean;
}

/** Read the first game of a PGN text; `null` if there is none. */
export async function listed(
  pgn: string,
  definitions: Record<string, Definition>,
  most: number,
): Promise<MoveList | null> {
  const [game, second] = await readPgn(pgn, { definitions, most: 2 });
  if (!game) return null;
  const board = game.start();
  const errors = game.errors.map(({ message, line, column }) => `line ${line}, column ${column}: ${message}`);
  const moves = game.hasStart ? movesOf(game, board, most, errors) : [];
  const { headers, comment } = game;
  const { id, chosenOptions: options } = board.game;
  const startFen = game.start().fen();
  release(board);
  return { game: game.hasStart ? id : null, options, startFen, headers, comment, moves, errors, more: !!second };
}

/** List the moves of a tree from its start. Variations whose turns begin with the same moves share them. */
function movesOf(game: PgnGame, board: Board, most: number, errors: string[]): ListedMove[] {
  const found: ListedMove[] = [];
  const children = new Map<string, number>();
  const path: number[] = [];
  const next = (nodes: readonly PgnNode[], parent: number): [PgnNode, number][] =>
    nodes.map((node): [PgnNode, number] => [node, parent]).reverse();
  const stack = next(game.variations, -1);
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    let [node, parent] = entry;
    while (path.length > 0 && path.at(-1) !== parent) {
      path.pop();
      board.pop();
    }
    for (const move of node.moves) {
      const known = children.get(`${parent} ${move}`);
      if (known === undefined && found.length === most) {
        errors.push(`the PGN has more than ${most} moves; the rest was skipped`);
        return depthFirst(found);
      }
      const made = { parent, move, san: known === undefined ? board.san(move) : "", side: board.turn };
      const turn = board.fullmoveNumber;
      board.push(move);
      if (known === undefined) {
        children.set(`${parent} ${move}`, found.length);
        found.push({ ...made, turn, fen: board.fen(), comment: "", nags: [] });
      }
      parent = known ?? found.length - 1;
      path.push(parent);
    }
    const last = found[parent];
    if (last) {
      last.comment = [last.comment, node.startingComment, node.comment].filter(Boolean).join("\n");
      last.nags = [...new Set([...last.nags, ...node.nags])].sort((one, other) => one - other);
    }
    stack.push(...next(node.variations, parent));
  }
  return depthFirst(found);
}

/** Sort moves into depth-first order, which shared beginnings of turns may have broken. */
function depthFirst(moves: readonly ListedMove[]): ListedMove[] {
  const children = new Map<number, number[]>();
  for (const [index, { parent }] of moves.entries()) {
    const known = children.get(parent);
    if (known) known.push(index);
    else children.set(parent, [index]);
  }
  const found: ListedMove[] = [];
  const after = (index: number, parent: number): [number, number][] =>
    (children.get(index) ?? []).map((child): [number, number] => [child, parent]).reverse();
  const stack = after(-1, -1);
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const [index, parent] = entry;
    found.push({ ...(moves[index] as ListedMove), parent });
    stack.push(...after(index, found.length - 1));
  }
  return found;
}
