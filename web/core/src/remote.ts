// Games that stay in a worker: nothing that a stranger's definition does can freeze a page.

import { AcedrexError, seconds as secondsOf, text as textOf, whole } from "./errors.ts";
import { type Definition, type LoadOptions, partsOf } from "./game.ts";
import { MAX_LEVEL } from "./limits.ts";
import type { Played, Question, Reached, StartedBoard, Studied } from "./questions.ts";
import { Session } from "./session.ts";
import type { Reach } from "./types.ts";

/** How long an answer may take by default, in seconds. */
const SECONDS = 5;
const MOST_GAMES = 10_000;

/** A position: a FEN or a setup by its number, from 1, by default the start, and the moves after it. */
export interface RemoteBoard {
  fen?: string;
  setup?: number;
  moves?: string[];
}

/** Games of the engine against itself. */
export interface RemoteGames {
  count: number;
  level: number;
  seed?: number;
  setup?: number | "random";
}

/**
 * Answers questions about definitions in a worker of its own, which is ended when an answer takes too long. Unlike after
 * `load`, no definition is compiled on the page's own thread, and no position is searched there.
 *
 * Every call throws `DefinitionError` if the definition has faults, and `AcedrexError` if it takes too long.
 */
export class Remote {
  readonly #seconds: number;
  #session: Session | null = null;
  #closed = false;

  constructor({ seconds = SECONDS }: { seconds?: number } = {}) {
    this.#seconds = secondsOf("seconds", seconds);
  }

  /** Return a definition's faults, what it says, and the game, if it has none. */
  async study(definition: Definition, options: LoadOptions = {}): Promise<Studied> {
    return (await this.#ask({ ask: "study", game: partsOf(definition, options) })) as Studied;
  }

  /** Return a position, its outcome and the last move in SAN. */
  async position(definition: Definition, board: RemoteBoard = {}, options: LoadOptions = {}): Promise<Reached> {
    const game = partsOf(definition, options);
    return (await this.#ask({ ask: "position", game, board: plain(board) })) as Reached;
  }

  /** Return where the piece on a square could go, as `Board.reach`. */
  async reach(
    definition: Definition,
    square: string,
    board: RemoteBoard = {},
    options: LoadOptions = {},
  ): Promise<Reach[]> {
    const game = partsOf(definition, options);
    return (await this.#ask({ ask: "reach", game, board: plain(board), square: textOf("square", square) })) as Reach[];
  }

  /** Return the turn that the engine plays at a level from 1 to 10; full strength thinks for a second. */
  async turn(
    definition: Definition,
    board: RemoteBoard,
    level: number,
    { seed, ...options }: LoadOptions & { seed?: number } = {},
  ): Promise<string[]> {
    const game = partsOf(definition, options);
    const question = { ask: "turn", game, board: plain(board), level: levelOf(level), seed: seedOf(seed) } as const;
    return (await this.#ask(question)) as string[];
  }

  /**
   * Let the engine play games against itself at a level from 1 to 9, and report each; the time is for each game. They begin
   * with a setup by its number, or each with one at `random`, which in a game without setups is the start.
   */
  async games(
    definition: Definition,
    { count, level, seed, setup, ...options }: LoadOptions & RemoteGames,
    report: (played: Played) => void,
  ): Promise<void> {
    const game = partsOf(definition, options);
    const many = whole("count", count, 1, MOST_GAMES);
    const start = setup === undefined || setup === "random" ? (setup ?? null) : setupOf(setup);
    const question = { ask: "games", game, setup: start, count: many, level: levelOf(level) } as const;
    await this.#ask({ ...question, seed: seedOf(seed) }, report);
  }

  /** End the worker; what it has not answered fails. The next question starts another one. */
  stop(): void {
    this.#session?.end(new AcedrexError("stopped"));
    this.#session = null;
  }

  /** End the worker for good. */
  close(): void {
    this.#closed = true;
    this.stop();
  }

  async #ask(question: Question, report: (value: never) => void = () => {}): Promise<unknown> {
    if (this.#closed) throw new AcedrexError("closed; create another one");
    this.#session ??= new Session();
    const session = this.#session;
    const end = (error: Error): void => {
      if (this.#session === session) this.#session = null;
      session.end(error);
    };
    const late = (): void => end(new AcedrexError(`it took longer than ${this.#seconds} seconds, and was stopped`));
    let timer = setTimeout(late, this.#seconds * 1000);
    try {
      return await session.ask({ type: "question", question }, (value) => {
        clearTimeout(timer);
        timer = setTimeout(late, this.#seconds * 1000);
        report(value);
      });
    } catch (error) {
      // A worker that has failed is of no use any more.
      if (error instanceof AcedrexError && error.name === "AcedrexError") end(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function plain({ fen = "", setup, moves = [] }: RemoteBoard): StartedBoard {
  if (fen && setup !== undefined) throw new AcedrexError("give a FEN or a setup, not both");
  return { fen, setup: setup === undefined ? null : setupOf(setup), moves };
}

function setupOf(setup: number): number {
  return whole("setup", setup, 1, Number.MAX_SAFE_INTEGER);
}

function levelOf(level: number): number {
  return whole("level", level, 1, MAX_LEVEL);
}

function seedOf(seed: number | undefined): bigint {
  return BigInt(seed === undefined ? Math.floor(Math.random() * 2 ** 53) : whole("seed", seed, 0, 2 ** 53 - 1));
}
