// What the server answers about trees of moves, from the core in this browser: the same answers.

import { Board } from "../../../core/src/board.ts";
import { IllegalMoveError } from "../../../core/src/errors.ts";
import type { Game } from "../../../core/src/game.ts";
import type { MoveList } from "../../../core/src/move-list.ts";
import { PgnGame, PgnNode } from "../../../core/src/pgn.ts";
import type { NodeMade, Tree, TreeNode, TreeRequest } from "../wire";

/** The most moves of a tree, as on the server. */
export const MOST_NODES = 5_000;
/** Tags that a tree keeps; the others follow from the game and its starting position. */
const TAGS = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Score"];

type Asked = Omit<TreeRequest, "game" | "options">;

export function makeMove(board: Board, text: string, parent: number, comment = "", nags: number[] = []): NodeMade {
  const move = board.parseSan(text);
  const [san, side, turn] = [board.san(move), board.turn, board.fullmoveNumber];
  board.push(move);
  return { parent, move, san, side, turn, fen: board.fen(), comment, nags };
}

/** Reads a tree whose moves are in coordinates or SAN. */
export function tree(game: Game, request: Asked): Tree {
  const board = startOf(game, request);
  const startFen = board.fen();
  const nodes: NodeMade[] = [];
  walk(board, request.nodes ?? [], ({ move, parent, comment, nags }) =>
    nodes.push(makeMove(board, move, parent, comment, nags)),
  );
  return { ...treeOf(game, startFen), comment: request.comment ?? "", tags: request.tags ?? {}, nodes, faults: [] };
}

/** Makes a tree of what was read of a PGN. */
export function record(game: Game, list: MoveList): Tree {
  const { startFen, headers, comment, moves: nodes, errors, more } = list;
  const known = TAGS.filter((name) => !["?", "????.??.??"].includes(headers[name] ?? "?"));
  const tags = Object.fromEntries(known.map((name) => [name, headers[name] as string]));
  const faults = [...(more ? ["only the first game was read; the archive imports all of them"] : []), ...errors];
  return { ...treeOf(game, startFen), comment, tags, nodes, faults: faults.slice(0, 20) };
}

/** Writes a tree as PGN. PGN has nodes for whole turns, so comments on moves inside a turn come after the turn. */
export function pgn(game: Game, request: Asked): string {
  const board = startOf(game, request);
  const written = new PgnGame(board);
  for (const [name, value] of Object.entries(request.tags ?? {}))
    if (TAGS.includes(name)) written.headers[name] = value;
  written.comment = request.comment ?? "";
  const nodes = request.nodes ?? [];
  const inner = new Set(nodes.map(({ parent }) => parent));
  /** For every move: where its turn goes, and the turn's moves up to it, with their comments and NAGs. */
  const parts = new Map<number, Part>([[-1, { into: written.variations, before: board.copy(0), ...EMPTY }]]);
  walk(board, nodes, ({ move, parent, comment, nags }, index) => {
    const part = parts.get(parent) as Part;
    const side = board.turn;
    board.push(board.parseUci(move));
    const moves = [...part.moves, move];
    const comments = comment ? [...part.comments, comment] : part.comments;
    const marks = [...new Set([...part.nags, ...nags])];
    const over = board.turn !== side || board.legalMoves.length === 0;
    if (!over && inner.has(index)) {
      parts.set(index, { ...part, moves, comments, nags: marks });
      return;
    }
    const turn = new PgnNode(moves, part.before.turnSan(moves), !over);
    turn.comment = comments.join("\n");
    turn.nags = marks.sort((one, other) => one - other);
    part.into.push(turn);
    parts.set(index, { into: turn.variations, before: board.copy(0), ...EMPTY });
  });
  return String(written);
}

interface Part {
  into: PgnNode[];
  /** The position at the start of the turn. */
  before: Board;
  moves: string[];
  comments: string[];
  nags: number[];
}

const EMPTY = { moves: [], comments: [], nags: [] };

function startOf(game: Game, { setup, fen }: Asked): Board {
  return new Board(game, setup ? { setup } : fen ? { fen } : {});
}

/** Calls back for the moves of a tree with the board in the position before each; the caller makes the move. */
function walk(board: Board, nodes: TreeNode[], visit: (node: Required<TreeNode>, index: number) => void): void {
  if (nodes.length > MOST_NODES) throw new IllegalMoveError(`a tree has at most ${MOST_NODES} moves`);
  const path: number[] = [];
  for (const [index, { parent, move, comment = "", nags = [] }] of nodes.entries()) {
    while (path.length > 0 && path.at(-1) !== parent) {
      path.pop();
      board.pop();
    }
    if (path.length === 0 && parent !== -1)
      throw new IllegalMoveError("moves must be in order: each after its parent, and each variation complete");
    visit({ parent, move, comment, nags }, index);
    path.push(index);
  }
}

function treeOf(game: Game, startFen: string): Omit<Tree, "comment" | "tags" | "nodes" | "faults"> {
  const setup = game.setups.length > 0 ? new Board(game, { fen: startFen }).setupName() : null;
  const { id, chosenOptions: options, name, rulesHash } = game;
  return { game: id, options, name, rules_hash: rulesHash, start_fen: startFen, setup };
}
