// The tree of a game in PGN as a list of moves: plain data, which a worker can send.

import * as core from "../compiled/core.js";
import { guard } from "./errors.ts";
import type { Definition } from "./game.ts";
import { type PgnError, pairs, readTags, Shelf } from "./pgn.ts";
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
  /** The setup that the start shows; `null` if there is none. */
  setup: string | null;
  headers: Record<string, string>;
  /** Those of the headers that say something about players, place and result. */
  tags: Record<string, string>;
  comment: string;
  moves: ListedMove[];
  /** What was wrong in the text, and what was left out, with lines and columns. */
  errors: string[];
  /** Whether the text has more games. */
  more: boolean;
}

/** A tree of moves as the core writes it. */
interface Tree extends Pick<MoveList, "options" | "setup" | "comment" | "tags" | "more"> {
  game: string;
  start_fen: string;
  nodes: ListedMove[];
  faults: string[];
}

/** Read the first game of a PGN text; `null` if there is none. */
export async function listed(
  pgn: string,
  definitions: Record<string, Definition>,
  most: number,
): Promise<MoveList | null> {
  const shelf = new Shelf(definitions);
  const reader = guard(() => new core.RecordReader(pgn));
  try {
    await readTags(reader, shelf);
    if (!guard(() => reader.hold())) return null;
    await readTags(reader, shelf);
    const [json, flat, faults] = guard(() => reader.tree(most)) as [string | null, string[], PgnError[]];
    const headers = Object.fromEntries(pairs(flat));
    const errors = faults.map(({ message, line, column }) => `line ${line}, column ${column}: ${message}`);
    if (json === null) {
      const unknown = { game: null, options: {}, startFen: "", setup: null, tags: {}, comment: "", moves: [] };
      return { ...unknown, headers, errors, more: false };
    }
    const { game, options, start_fen, setup, tags, comment, nodes, faults: all, more }: Tree = JSON.parse(json);
    return { game, options, startFen: start_fen, setup, headers, tags, comment, moves: nodes, errors: all, more };
  } finally {
    reader.free();
  }
}
