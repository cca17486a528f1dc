// Games as PGN: trees of turns with comments, read leniently and written to the standard.

import * as core from "../compiled/core.js";
import { Board, coreOf } from "./board.ts";
import { AcedrexError, guard, textList, text as textOf, whole } from "./errors.ts";
import { type Definition, type Game, load } from "./game.ts";

/** What is wrong in a text, and where; lines and columns count from 1. */
export interface PgnError {
  message: string;
  line: number;
  column: number;
}

/** A turn in a tree. */
export class PgnNode {
  /** The moves of the turn; one in most games. */
  readonly moves: string[];
  /** The turn in SAN. */
  readonly san: string;
  /** Whether the turn goes on: it is the last of its line. */
  readonly unfinished: boolean;
  /** What is said before the turn, where a variation begins, and after it. Lines are separated by `\n`. */
  startingComment = "";
  comment = "";
  /** Numeric annotation glyphs: 1 is `!`, 2 is `?`. */
  nags: number[] = [];
  /** The turns that follow: the main line first, then variations. */
  variations: PgnNode[] = [];

  constructor(moves: string[], san: string, unfinished = false) {
    this.moves = moves;
    this.san = san;
    this.unfinished = unfinished;
  }
}

const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };
const START_TAGS = ["Variant", "Options", "Arrangement", "RulesHash", "FEN", "SetUp"];
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const MAX_ERRORS = 100;
const MAX_GAMES = 1_000_000;

/** A game as PGN holds it: its tags, and a tree of turns. */
export class PgnGame {
  /** The tags. Those of the game and its start follow from `start` and are written from it. */
  headers: Record<string, string> = { ...ROSTER };
  /** The comment before the first turn. */
  comment = "";
  /** The first turns: the main line first, then variations. */
  variations: PgnNode[] = [];
  /** What was wrong in the text. After an error, the rest of that line of play is left out. */
  errors: PgnError[] = [];
  /** Whether the game and its start are known; without them a text has no turns, and `errors` says why. */
  hasStart = true;
  readonly #start: Board;

  /** A game without turns that begins with the position of a board, whose own moves are left aside. */
  constructor(start: Board) {
    this.#start = start.copy(0);
  }

  /** A game with the moves of a board, in SAN, and with its result. */
  static fromBoard(board: Board, headers: Record<string, string> = {}): PgnGame {
    const start = new Board(board.game, { fen: board.rootFen, unfinished: true });
    const game = new PgnGame(start);
    const outcome = board.outcome();
    game.headers = { ...game.headers, Result: outcome?.result ?? "*", ...headers };
    if (outcome && board.game.scoring === "four_points") game.headers.Score ??= outcome.score;
    const replay = start.copy();
    let into = game.variations;
    let turn: string[] = [];
    let before = replay.copy(0);
    const moves = board.moveStack;
    for (const [index, move] of moves.entries()) {
      const side = replay.turn;
      replay.push(move);
      turn.push(move);
      if (replay.turn === side && index + 1 < moves.length) continue;
      const unfinished = replay.turn === side && !replay.isGameOver();
      const node = new PgnNode(turn, before.turnSan(turn), unfinished);
      into.push(node);
      into = node.variations;
      turn = [];
      before = replay.copy(0);
    }
    return game;
  }

  /** Return a board with the position where the game starts. */
  start(): Board {
    return this.#start.copy();
  }

  /** Return the turns of the main line. */
  mainline(): PgnNode[] {
    const line: PgnNode[] = [];
    for (let node = this.variations[0]; node; node = node.variations[0]) line.push(node);
    return line;
  }

  /** Return a board with the moves of the main line. */
  end(): Board {
    const board = this.start();
    for (const node of this.mainline()) for (const move of node.moves) board.push(move);
    return board;
  }

  /** Write the game as PGN. Throws `AcedrexError` if a tag, the result, a turn or a glyph cannot be written. */
  toString(): string {
    const { Result: result = "*" } = this.headers;
    if (!RESULTS.includes(result))
      throw new AcedrexError(`tag Result: ${RESULTS.join(", ")} is expected, not ${result}`);
    const tags = Object.entries(this.#tags()).map(([name, value]) => {
      if (!/^[A-Za-z0-9][\w+#=:-]*$/.test(name))
        throw new AcedrexError(`${JSON.stringify(name)} cannot be the name of a tag`);
      return [name, textOf(name, value).replace(/\s+/g, " ")];
    });
    const tree = new core.Tree();
    try {
      this.#addTurns(tree);
      const comment = textOf("comment", this.comment);
      return `${guard(() => tree.turns_pgn(coreOf(this.#start), comment, tags.flat(), result))}\n`;
    } finally {
      tree.free();
    }
  }

  #addTurns(tree: core.Tree): void {
    let count = 0;
    const next = (nodes: readonly PgnNode[], parent: number): [PgnNode, number][] =>
      nodes.map((node): [PgnNode, number] => [node, parent]).reverse();
    const stack = next(this.variations, -1);
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      const [{ moves, unfinished, startingComment, comment, nags, variations }, parent] = entry;
      const glyphs = Uint8Array.from(nags, (nag) => whole("nags", nag, 0, 255));
      const texts = [textOf("startingComment", startingComment), textOf("comment", comment)] as const;
      const turn = textList("moves", moves).join(",");
      guard(() => tree.add_turn(parent, turn, unfinished === true, ...texts, glyphs));
      stack.push(...next(variations, count++));
    }
  }

  #tags(): Record<string, string> {
    const known = { ...ROSTER, ...this.headers };
    const others = Object.entries(known).filter(([name]) => !START_TAGS.includes(name));
    const start = Object.fromEntries(pairs(guard(() => core.start_tags(coreOf(this.#start)))));
    const roster = Object.fromEntries(others.filter(([name]) => name in ROSTER));
    return { ...roster, ...start, ...Object.fromEntries(others) };
  }
}

/** Return the value of the tag `Termination` for a reason why a game ended, in the words of the PGN standard. */
export function pgnTermination(reason: string): string {
  return guard(() => core.pgn_termination(textOf("reason", reason)));
}

/**
 * Read the games of a PGN text, however badly formed.
 *
 * Nothing in the text makes it throw: what is wrong is in each game's `errors`. `definitions` are games that do not ship
 * with this package, by their id; after `most` games the rest is left out.
 */
export async function readPgn(
  pgn: string,
  { definitions = {}, most = MAX_GAMES }: { definitions?: Record<string, Definition>; most?: number } = {},
): Promise<PgnGame[]> {
  const games: PgnGame[] = [];
  const [text, limit] = [textOf("pgn", pgn), whole("most", most, 1, MAX_GAMES)];
  const shelf = new Shelf(definitions);
  const usual = await load("chess");
  const reader = guard(() => new core.RecordReader(text));
  try {
    while (games.length < limit) {
      const last = games.at(-1);
      const game = await readGame(reader, shelf, usual);
      const late = guard(() => reader.late_errors()) as PgnError[];
      last?.errors.push(...late.slice(0, Math.max(0, MAX_ERRORS - last.errors.length)));
      if (!game) break;
      games.push(game);
    }
  } finally {
    reader.free();
  }
  return games;
}

/** What the core has found in a record. */
interface Found {
  turns: (Pick<PgnNode, "moves" | "san" | "unfinished" | "startingComment" | "comment" | "nags"> & {
    parent: number;
  })[];
  /** Names and values in turn. */
  tags: string[];
  result: string | null;
  fen: string | null;
  comment: string;
  errors: PgnError[];
}

/** Read the next game; `null` if none is left. */
async function readGame(reader: core.RecordReader, shelf: Shelf, usual: Game): Promise<PgnGame | null> {
  const variant = await readTags(reader, shelf);
  const found = guard(() => reader.take()) as Found | undefined;
  if (!found) return null;
  const start = variant && found.fen !== null ? new Board(variant, { fen: found.fen }) : null;
  const game = new PgnGame(start ?? new Board(usual));
  game.hasStart = start !== null;
  game.errors = found.errors;
  game.comment = found.comment;
  const tags = pairs(found.tags).filter(([name]) => !START_TAGS.includes(name));
  game.headers = { ...game.headers, ...Object.fromEntries(tags) };
  if (game.headers.Result === "*" && found.result !== null) game.headers.Result = found.result;
  const nodes: PgnNode[] = [];
  for (const { parent, moves, san, unfinished, ...notes } of found.turns) {
    const node = Object.assign(new PgnNode(moves, san, unfinished), notes);
    (nodes[parent]?.variations ?? game.variations).push(node);
    nodes.push(node);
  }
  return game;
}

/**
 * Read to the end of the next record, and return its game; `null` if it is not known.
 *
 * @internal
 */
export async function readTags(reader: core.RecordReader, shelf: Shelf): Promise<Game | null> {
  let variant: Game | null = null;
  while (guard(() => reader.step())) {
    const { name, options } = startTags(guard(() => reader.start_tags()));
    try {
      variant = await shelf.load(name, []);
      const [chosen, faults] = guard(() => core.read_options((variant as Game).core, options)) as [string[], string[]];
      if (chosen.length > 0) variant = await shelf.load(name, chosen);
      const { core: game } = variant;
      guard(() => reader.begin(game, faults));
    } catch (error) {
      if (!(error instanceof AcedrexError)) throw error;
      variant = null;
      guard(() => reader.begin_without_game(error.message));
    }
  }
  return variant;
}

/**
 * Return names and values in turn as pairs.
 *
 * @internal
 */
export function pairs(flat: string[]): [string, string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""] as [string, string]] : []));
}

function startTags(flat: string[]): { name: string; options: string } {
  const tags = Object.fromEntries(pairs(flat));
  return { name: tags.Variant ?? "chess", options: tags.Options ?? "" };
}

/**
 * Loads each game once.
 *
 * @internal
 */
export class Shelf {
  readonly #definitions: Record<string, Definition>;
  readonly #games = new Map<string, Game>();

  constructor(definitions: Record<string, Definition>) {
    this.#definitions = definitions;
  }

  /** Options are names and values in turn. Throws `AcedrexError` if there is no such game, or it has faults. */
  async load(name: string, options: string[]): Promise<Game> {
    const own = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined;
    const id = own ? name : guard(() => core.shipped_named(name));
    if (id === undefined) {
      const others = Object.keys(this.#definitions);
      throw new AcedrexError(guard(() => core.unknown_game(name, others)));
    }
    const spec = JSON.stringify([id, options]);
    const game = this.#games.get(spec) ?? (await load(own ?? id, { options: Object.fromEntries(pairs(options)) }));
    this.#games.set(spec, game);
    return game;
  }
}
