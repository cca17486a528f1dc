// Games as PGN: trees of turns with comments, read leniently and written to the standard.

import { Board, release } from "./board.ts";
import { AcedrexError, text as textOf, whole } from "./errors.ts";
import { type Definition, type Game, load, readOptions } from "./game.ts";
import { commentWords, type Token, tokens, wrapped } from "./pgn-text.ts";

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
const START_TAGS = ["Variant", "Options", "Arrangement", "RulesHash", "SetUp", "FEN"];
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const MAX_ERRORS = 100;
const MAX_DEPTH = 100;
const MAX_TURNS = 50_000;
const MAX_TAGS = 256;
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

  /** Write the game as PGN. Throws `AcedrexError` if a tag's name, the result or a glyph cannot be written. */
  toString(): string {
    const { Result: result = "*" } = this.headers;
    if (!RESULTS.includes(result))
      throw new AcedrexError(`tag Result: ${RESULTS.join(", ")} is expected, not ${result}`);
    const words = commentWords(this.comment);
    const board = this.start();
    writeLine(words, board, this.variations, true);
    words.push(result);
    const tags = Object.entries(this.#tags()).map(([name, value]) => {
      if (!/^[A-Za-z0-9]\w*$/.test(name)) throw new AcedrexError(`${JSON.stringify(name)} cannot be the name of a tag`);
      return `[${name} "${value.replace(/\s+/g, " ").replace(/["\\]/g, "\\$&")}"]\n`;
    });
    return `${tags.join("")}\n${wrapped(words)}\n`;
  }

  #tags(): Record<string, string> {
    const { game } = this.#start;
    const others = Object.entries(this.headers).filter(([name]) => !START_TAGS.includes(name) && !(name in ROSTER));
    const tags: Record<string, string> = { ...ROSTER };
    for (const name of Object.keys(ROSTER)) tags[name] = this.headers[name] ?? tags[name] ?? "?";
    tags.Variant = game.id;
    const options = Object.entries(game.chosenOptions).map(([name, value]) => `${name}=${value}`);
    if (options.length > 0) tags.Options = options.join(",");
    const [fen, setup] = [this.#start.fen(), this.#start.setupName()];
    const usual = setup === null ? game.startFen : game.setups.fen(setup);
    if (setup !== null && fen === usual) tags.Arrangement = setup;
    tags.RulesHash = game.rulesHash;
    if (fen !== usual) Object.assign(tags, { SetUp: "1", FEN: fen });
    return { ...tags, ...Object.fromEntries(others) };
  }
}

/** Write the turns after a position, which is left as it was. */
function writeLine(words: string[], board: Board, nodes: PgnNode[], numbered: boolean): void {
  let made = 0;
  for (let [rest, number] = [nodes, numbered]; rest[0]; ) {
    const [main, ...others] = rest;
    writeTurn(words, board, main, number);
    for (const other of others) {
      const inner: string[] = [];
      inner.push(...commentWords(other.startingComment));
      writeTurn(inner, board, other, true);
      for (const move of other.moves) board.push(move);
      writeLine(inner, board, other.variations, noted(other));
      for (const _ of other.moves) board.pop();
      words.push(...bracketed(inner));
    }
    for (const move of main.moves) board.push(move);
    made += main.moves.length;
    number = others.length > 0 || noted(main);
    rest = main.variations;
  }
  while (made-- > 0) board.pop();
}

function noted(node: PgnNode): boolean {
  return node.comment !== "";
}

function writeTurn(words: string[], board: Board, node: PgnNode, numbered: boolean): void {
  const number = board.turn === "white" ? `${board.fullmoveNumber}.` : numbered ? `${board.fullmoveNumber}...` : "";
  if (number) words.push(number);
  words.push(
    node.unfinished ? `${node.san},` : node.san,
    ...node.nags.map((nag) => `$${whole("nags", nag, 0, 255)}`),
    ...commentWords(node.comment),
  );
}

/** Put words in brackets; a bracket does not end a line that is a comment. */
function bracketed(words: string[]): string[] {
  const [first = "", ...rest] = words;
  const all = first.startsWith(";") ? ["(", first, ...rest] : [`(${first}`, ...rest];
  const last = all.at(-1) ?? "";
  return last.startsWith(";") ? [...all, ")"] : [...all.slice(0, -1), `${last})`];
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
  const limit = whole("most", most, 1, MAX_GAMES);
  const shelf = new Shelf(definitions);
  for (const record of records(tokens(textOf("pgn", pgn)))) {
    games.push(await readRecord(record, shelf));
    if (games.length === limit) break;
  }
  return games;
}

/** Divide tokens into the games that they belong to: a tag after turns begins the next one, as do turns after a result. */
function* records(all: Iterable<Token>): Generator<Token[]> {
  let record: Token[] = [];
  let [moving, ended, depth] = [false, false, 0];
  for (const token of all) {
    if ((token.kind === "tag" && moving) || (ended && token.kind !== "comment")) {
      yield record;
      [record, moving, ended, depth] = [[], false, false, 0];
    }
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth = Math.max(0, depth - 1);
    if (token.kind !== "tag" && token.kind !== "comment") moving = true;
    if (token.kind === "result" && depth === 0) ended = true;
    record.push(token);
  }
  if (record.length > 0) yield record;
}

/** Loads each game once. */
class Shelf {
  readonly #definitions: Record<string, Definition>;
  readonly #games = new Map<string, Game>();

  constructor(definitions: Record<string, Definition>) {
    this.#definitions = definitions;
  }

  /** Throws `DefinitionError` if there is no such game or option, or a definition has faults. */
  async load(id: string, options: string): Promise<Game> {
    const spec = `${id}:${options}`;
    const own = Object.hasOwn(this.#definitions, id) ? this.#definitions[id] : undefined;
    const game = this.#games.get(spec) ?? (await load(own ?? id, { options: readOptions(options) }));
    this.#games.set(spec, game);
    return game;
  }
}

async function readRecord(record: Token[], shelf: Shelf): Promise<PgnGame> {
  const errors: PgnError[] = [];
  const fail = ({ line, column }: Pick<Token, "line" | "column">, message: string): void => {
    if (errors.length < MAX_ERRORS) errors.push({ message, line, column });
  };
  const tags: Record<string, string> = {};
  for (const token of record.filter((token) => token.kind === "tag")) {
    if (Object.keys(tags).length >= MAX_TAGS) fail(token, `a game has at most ${MAX_TAGS} tags`);
    else Object.defineProperty(tags, token.text, { value: token.value ?? "", enumerable: true, configurable: true });
  }
  const place = record[0] ?? { line: 1, column: 1 };
  const start = await startOf(tags, shelf, (message) => fail(place, message));
  const game = new PgnGame(start ?? new Board(await shelf.load("chess", "")));
  const others = Object.entries(tags).filter(([name]) => !START_TAGS.includes(name));
  game.headers = { ...game.headers, ...Object.fromEntries(others) };
  game.errors = errors;
  game.hasStart = start !== null;
  if (start) new Reader(game, fail).read(record);
  return game;
}

/** Return the board where a game starts; `null` if it cannot be known. */
async function startOf(
  tags: Record<string, string>,
  shelf: Shelf,
  fail: (message: string) => void,
): Promise<Board | null> {
  const game = await shelf
    .load((tags.Variant ?? "chess").toLowerCase(), tags.Options ?? "")
    .catch((error: Error) => error);
  if (game instanceof Error) {
    fail(`the game is unknown: ${game.message}`);
    return null;
  }
  if (tags.RulesHash !== undefined && tags.RulesHash !== game.rulesHash) {
    fail(`the rules of ${game.name} have changed since the game was saved`);
  }
  try {
    if (tags.FEN !== undefined) return new Board(game, { fen: tags.FEN });
    return new Board(game, tags.Arrangement ? { setup: tags.Arrangement } : {});
  } catch (error) {
    fail((error as Error).message);
    return null;
  }
}

/** A line of play that is being read. */
interface Line {
  /** The board after its last turn. It goes along with the line: a copy for each turn would hold the game so far again. */
  board: Board;
  /** How many moves its last turn has. */
  made: number;
  /** Where the last turn stands, and where the next one goes. */
  siblings: PgnNode[];
  next: PgnNode[];
  node: PgnNode | null;
  startingComment: string;
}

class Reader {
  readonly #game: PgnGame;
  readonly #fail: (token: Token, message: string) => void;
  #line: Line;
  readonly #outer: Line[] = [];
  /** How many brackets are open in what is left out; the line of play itself counts as one. */
  #skipping = 0;
  #turns = 0;

  constructor(game: PgnGame, fail: (token: Token, message: string) => void) {
    this.#game = game;
    this.#fail = fail;
    const board = game.start();
    this.#line = { board, made: 0, siblings: [], next: game.variations, node: null, startingComment: "" };
  }

  read(record: Token[]): void {
    for (const token of record) {
      if (this.#skipping > 0) this.#skip(token);
      else this.#take(token);
    }
    const last = record.at(-1);
    if (this.#outer.length > 0 && last) this.#fail(last, "a variation is not closed");
    for (const { board } of new Set([this.#line, ...this.#outer])) release(board);
  }

  #skip(token: Token): void {
    if (token.kind === "open") this.#skipping++;
    // No bracket ends the main line.
    if (token.kind !== "close" || (this.#skipping === 1 && this.#outer.length === 0)) return;
    if (--this.#skipping === 0) this.#close(token);
  }

  #take(token: Token): void {
    const { kind, text } = token;
    if (kind === "turn") this.#turn(token);
    else if (kind === "comment") this.#comment(text);
    else if (kind === "open") this.#open(token);
    else if (kind === "close") this.#close(token);
    else if (kind === "fault") this.#fail(token, `${JSON.stringify(text)} was not expected`);
    else if (kind === "result" && this.#outer.length === 0) this.#game.headers.Result = text;
    else if (kind === "nag" && Number(text) > 255) this.#fail(token, `$${text}: a glyph is a number up to 255`);
    else if (kind === "nag") this.#line.node?.nags.push(Number(text));
  }

  #turn(token: Token): void {
    const line = this.#line;
    try {
      if (++this.#turns > MAX_TURNS) throw new AcedrexError(`a game has at most ${MAX_TURNS} turns`);
      const moves = readTurn(line.board, token.text);
      const node = new PgnNode(moves, line.board.turnSan(moves), token.text.endsWith(","));
      node.startingComment = line.startingComment;
      line.next.push(node);
      for (const move of moves) line.board.push(move);
      Object.assign(line, {
        made: moves.length,
        siblings: line.next,
        next: node.variations,
        node,
        startingComment: "",
      });
    } catch (error) {
      if (!(error instanceof AcedrexError)) throw error;
      this.#fail(token, error.message);
      this.#skipping = 1;
    }
  }

  #comment(text: string): void {
    const { node } = this.#line;
    const joined = (before: string): string => (before && text ? `${before}\n${text}` : before + text);
    if (node) node.comment = joined(node.comment);
    else if (this.#outer.length > 0) this.#line.startingComment = joined(this.#line.startingComment);
    else this.#game.comment = joined(this.#game.comment);
  }

  #open(token: Token): void {
    const { board, made, siblings, node } = this.#line;
    if (!node || this.#outer.length >= MAX_DEPTH) {
      this.#fail(
        token,
        node ? `variations are nested at most ${MAX_DEPTH} deep` : "a variation needs a turn before it",
      );
      this.#outer.push(this.#line);
      this.#skipping = 1;
      return;
    }
    this.#outer.push(this.#line);
    const before = board.copy();
    for (let moves = made; moves > 0; moves--) before.pop();
    this.#line = { board: before, made: 0, siblings: [], next: siblings, node: null, startingComment: "" };
  }

  #close(token: Token): void {
    const outer = this.#outer.pop();
    if (outer) {
      // The line of a variation that could not be opened is the outer one itself.
      if (outer !== this.#line) release(this.#line.board);
      this.#line = outer;
    } else this.#fail(token, "no variation is open here");
  }
}

/** Read the moves of a turn, which is unfinished if its text ends with a comma. The board is left as it was. */
function readTurn(board: Board, text: string): string[] {
  if (!text.endsWith(",")) return board.parseTurn(text);
  const side = board.turn;
  const moves: string[] = [];
  try {
    for (const part of text.slice(0, -1).split(",")) {
      if (board.turn !== side) throw new AcedrexError(`${text}: the turn is over before its last move`);
      moves.push(board.pushSan(part));
    }
    return moves;
  } finally {
    for (const _ of moves) board.pop();
  }
}
