// The engine: it thinks in a worker of its own, with one thread.

import { networks } from "../compiled/networks.js";
import type { Board } from "./board.ts";
import { AcedrexError, textList, whole } from "./errors.ts";
import {
  type Info,
  infoOf,
  type Limit,
  type PlainDecision,
  type PlainLine,
  type PlayResult,
  plainLimit,
} from "./limit.ts";
import { MAX_LEVEL } from "./limits.ts";
import type { PlainBoard, ToWorker } from "./messages.ts";
import { thePlatform } from "./platform.ts";
import { Session } from "./session.ts";

export interface EngineOptions {
  /** The size of the hash table in megabytes, up to 1024; 16 by default. */
  hashMb?: number;
  /** The strength of `play`, from 1 to 10, the default; see `level`. */
  level?: number;
  /** The seed of the choices of levels below 10, a whole number; by default random. The same seed plays the same moves. */
  seed?: number;
  /** The bytes of a network's file, instead of the one that ships with the game; `none` evaluates by features alone. */
  network?: Uint8Array | "none";
}

export interface SearchOptions {
  /** The number of lines, up to 500. */
  multipv?: number;
  /** The first moves to choose from; by default all legal ones. */
  rootMoves?: string[];
}

const MAX_HASH_MB = 1024;
const MAX_LINES = 500;

/** The search that runs, and what it has found so far. */
interface Running {
  lines: Info[];
  stopped: boolean;
}

/**
 * Plays and analyses any game, one search at a time, in a worker of its own. Engines are independent of each other.
 *
 * A search cannot be interrupted: to stop it, its worker is ended and another one started, which has an empty hash
 * table. A search that reaches its limit keeps its table for the next one.
 */
export class Engine {
  readonly #hashMb: number;
  readonly #network: Uint8Array | "none" | undefined;
  #level = MAX_LEVEL;
  #random: () => bigint;
  #session: Session | null = null;
  /** What the session's worker has loaded: the game and its parts. */
  #loaded: Board["game"] | null = null;
  #last: Promise<unknown> = Promise.resolve();
  /** The searches that run or wait. */
  readonly #searches = new Set<Running>();
  #current: Running | null = null;
  #closed = false;

  /** Throws `AcedrexError` if a number is out of range. A network of another game is reported by the first search. */
  constructor({ hashMb = 16, level = MAX_LEVEL, seed, network }: EngineOptions = {}) {
    this.#hashMb = whole("hashMb", hashMb, 1, MAX_HASH_MB);
    if (network !== undefined && network !== "none" && !(network instanceof Uint8Array)) {
      throw new AcedrexError('network: expected the bytes of a file, or "none"');
    }
    this.#network = network;
    this.level = level;
    const given = seed === undefined ? null : whole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    this.#random = given === null ? () => BigInt(Math.floor(Math.random() * 2 ** 53)) : numbers(given);
  }

  /**
   * The strength of `play`, from 1 to 10. Levels below 10 play weaker, equally strong on every machine: they search a
   * fixed number of positions, choose among nearly equal moves and overlook replies as people do. Their limit is ignored.
   */
  get level(): number {
    return this.#level;
  }
  set level(level: number) {
    this.#level = whole("level", level, 1, MAX_LEVEL);
  }

  /**
   * Search for the best turn. The board is not changed.
   *
   * Stopped, it returns the first line so far: then `moves` are the moves of this turn in it. Throws `AcedrexError` if a
   * limit is out of range, a root move is not legal, the engine is closed, or it was stopped before it found a move.
   */
  async play(
    board: Board,
    limit: Limit = {},
    { rootMoves = [] }: Pick<SearchOptions, "rootMoves"> = {},
  ): Promise<PlayResult> {
    const [plain, level] = [plainLimit(limit, board.turn), this.#level];
    const from = board.copy();
    const at = plainBoard(from);
    const moves = textList("rootMoves", rootMoves);
    const decision = (running: Running): Promise<PlainDecision | null> => {
      if (level === MAX_LEVEL)
        return this.#search(running, { type: "search", board: at, limit: plain, lines: 1, rootMoves: moves });
      return this.#search(running, { type: "level", board: at, level, seed: this.#random(), rootMoves: moves });
    };
    return this.#queue(from, async (running) => {
      const found = await decision(running);
      if (found) {
        const line = found.lines[0];
        return {
          move: found.moves[0] ?? null,
          moves: found.moves,
          ponder: found.ponder,
          info: line ? infoOf(line) : null,
        };
      }
      const info = running.lines[0];
      if (!info) throw new AcedrexError("the search was stopped before it found a move");
      const turn = thisTurn(from, info.pv);
      return { move: turn[0] ?? null, moves: turn, ponder: [], info };
    });
  }

  /**
   * Search and return the best lines, the best first; none if the game is over. Stopped, it returns the lines so far.
   *
   * Throws `AcedrexError` as `play`.
   */
  async analyse(board: Board, limit: Limit, options: SearchOptions = {}): Promise<Info[]> {
    let last: Info[] = [];
    for await (const lines of this.stream(board, limit, options)) last = lines;
    return last;
  }

  /**
   * Search and yield the best lines after every iteration, the best first. Leaving the loop stops the search.
   *
   * Throws `AcedrexError` as `play`.
   */
  async *stream(
    board: Board,
    limit: Limit = {},
    { multipv = 1, rootMoves = [] }: SearchOptions = {},
  ): AsyncGenerator<Info[], void, undefined> {
    const lines = whole("multipv", multipv, 1, MAX_LINES);
    const plain = plainLimit(limit, board.turn);
    const from = board.copy();
    const message = {
      type: "search",
      board: plainBoard(from),
      limit: plain,
      lines,
      rootMoves: textList("rootMoves", rootMoves),
    } as const;
    const fresh: Info[][] = [];
    let wake: () => void = () => {};
    let over = false;
    const running = this.#running();
    const search = this.#queue(
      from,
      async () => {
        await this.#search(running, message, (found) => {
          fresh.push(found);
          wake();
        });
      },
      running,
    ).finally(() => {
      over = true;
      wake();
    });
    search.catch(() => {});
    try {
      while (!over || fresh.length > 0) {
        const next = fresh.shift();
        if (next) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      await search;
    } finally {
      if (!over) this.#stop(running);
    }
  }

  /** Stop the searches that run and wait. */
  stop(): void {
    for (const running of [...this.#searches]) this.#stop(running);
  }

  /** Clear what earlier searches found, as before a new match. Throws `AcedrexError` if the engine is closed. */
  async clear(): Promise<void> {
    if (this.#closed) throw closed();
    await this.#after(async () => this.#session?.ask({ type: "clear" }));
  }

  /** Stop all searches and end the worker. */
  close(): void {
    this.#closed = true;
    this.stop();
    this.#renew();
  }

  #running(): Running {
    if (this.#closed) throw closed();
    const running = { lines: [], stopped: false };
    this.#searches.add(running);
    return running;
  }

  #stop(running: Running): void {
    running.stopped = true;
    this.#searches.delete(running);
    if (this.#current === running) this.#renew();
  }

  /** End the worker. The next one starts at once, so that the next search need not wait for it. */
  #renew(): void {
    this.#session?.end(new AcedrexError("the search was stopped"));
    this.#loaded = null;
    this.#session = this.#closed ? null : new Session();
  }

  /** Do something when everything before it is done. */
  #after<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => {});
    return result;
  }

  #queue<T>(board: Board, task: (running: Running) => Promise<T>, running: Running = this.#running()): Promise<T> {
    return this.#after(async () => {
      this.#current = running;
      try {
        if (!running.stopped) await this.#load(board);
        return await task(running);
      } catch (error) {
        // Stopped before its game was loaded.
        if (running.stopped) return await task(running);
        // A worker that has failed is of no use any more.
        if (error instanceof AcedrexError && error.name === "AcedrexError") this.#renew();
        throw error;
      } finally {
        this.#current = null;
        this.#searches.delete(running);
      }
    });
  }

  /** Make the worker ready for a board's game. */
  async #load({ game }: Board): Promise<void> {
    this.#session ??= new Session();
    const session = this.#session;
    if (this.#loaded?.rulesHash === game.rulesHash && this.#loaded.source === game.source) return;
    this.#loaded = null;
    const message = {
      type: "game",
      game: game.parts,
      hashMb: this.#hashMb,
      network: await this.#networkOf(game),
    } as const;
    await session.ask(message);
    this.#loaded = game;
  }

  async #networkOf({ id, parts }: Board["game"]): Promise<Uint8Array | null> {
    if (this.#network !== undefined) return this.#network === "none" ? null : this.#network;
    const address = parts.text === undefined && Object.hasOwn(networks, id) ? networks[id] : undefined;
    return address ? thePlatform().read(address) : null;
  }

  /** Search in the worker; `null` if it was stopped. */
  async #search(
    running: Running,
    message: ToWorker & { type: "search" | "level" },
    hear: (lines: Info[]) => void = () => {},
  ): Promise<PlainDecision | null> {
    if (running.stopped || !this.#session) return null;
    const report = (lines: PlainLine[]): void => {
      if (running.stopped) return;
      running.lines = lines.map(infoOf);
      hear(running.lines);
    };
    try {
      return (await this.#session.ask(message, report)) as PlainDecision;
    } catch (error) {
      if (running.stopped) return null;
      throw error;
    }
  }
}

function closed(): AcedrexError {
  return new AcedrexError("the engine is closed; create another one");
}

function plainBoard(board: Board): PlainBoard {
  return { fen: board.rootFen, moves: board.moveStack };
}

/** Return the moves of a line that belong to the current turn. */
function thisTurn(board: Board, line: string[]): string[] {
  const [after, turn] = [board.copy(), board.turn];
  const moves: string[] = [];
  for (const move of line) {
    if (after.turn !== turn) break;
    after.push(move);
    moves.push(move);
  }
  return moves;
}

/** Return a function that gives the next number of a series. */
function numbers(seed: number): () => bigint {
  let next = BigInt(seed);
  return () => {
    // SplitMix64: the core mixes it further.
    next = BigInt.asUintN(64, next + 0x9e3779b97f4a7c15n);
    return next;
  };
}
