// What a worker answers about a definition that nobody has read yet: see `remote.ts`.

import * as core from "../compiled/core.js";
import { Board } from "./board.ts";
import { DefinitionError, type Fault, guard } from "./errors.ts";
import { Game, type GameOption, type GameParts } from "./game.ts";
import type { PlainDecision, PlainLine } from "./limit.ts";
import { MAX_LEVEL } from "./limits.ts";
import type { PlainBoard } from "./messages.ts";
import type { Outcome } from "./outcome.ts";
import type { GamePieceType, Position, Reach } from "./types.ts";

/** A value of a definition file. */
export type Plain = string | number | boolean | Plain[] | { [key: string]: Plain };

/** A game as plain data. */
export interface Described {
  id: string;
  name: string;
  author: string;
  year: number | null;
  summary: string;
  story: string;
  files: number;
  ranks: number;
  startFen: string;
  rulesHash: string;
  hasCheck: boolean;
  turnsOfSeveralMoves: boolean;
  pieces: GamePieceType[];
  options: GameOption[];
  /** The number of setups. */
  setups: number;
  /** The values in centipawns by which the engine plays, by letter. */
  values: Record<string, number>;
  start: Position;
}

export interface Studied {
  /** Every fault, with the default options and with each value of each option. */
  faults: Fault[];
  /** What the definition inherits from the game that it extends; `null` if it extends none or cannot be read. */
  inherited: Plain | null;
  /** `null` if there are faults. */
  game: Described | null;
}

/** A position and, if the game is over, its outcome. */
export interface Reached {
  position: Position;
  outcome: Outcome | null;
  /** The last move in SAN; empty if there is none. */
  san: string;
}

/** How a game of the engine against itself ended: `null` if it was too long. */
export interface Played {
  outcome: Outcome | null;
  turns: number;
}

/** A position whose start is a setup by its number, a FEN, or with an empty FEN the start of the game. */
export interface StartedBoard extends PlainBoard {
  setup: number | null;
}

export type Question =
  | { ask: "study"; game: GameParts }
  | { ask: "position"; game: GameParts; board: StartedBoard }
  | { ask: "reach"; game: GameParts; board: StartedBoard; square: string }
  | { ask: "turn"; game: GameParts; board: StartedBoard; level: number; seed: bigint }
  | { ask: "games"; game: GameParts; setup: number | "random" | null; count: number; level: number; seed: bigint };

const FULL_SECONDS = 1;
const HASH_MB = 16;
/** Games of the engine against itself that are longer than this are not finished. */
const MOST_TURNS = 400;
const HALF = 1n << 63n;

/** Return what answers questions. It keeps the last game and its engine. */
export function answering(): (question: Question, report: (value: unknown) => void) => unknown {
  let last: { key: string; game: Game; engine: core.Engine | null } | null = null;

  function opened(parts: GameParts): { game: Game; engine: core.Engine | null } {
    const key = JSON.stringify(parts);
    if (last?.key === key) return last;
    last?.engine?.free();
    last?.game.core.free();
    last = null;
    last = { key, game: new Game(parts, {}), engine: null };
    return last;
  }

  function boardOf(parts: GameParts, { fen, setup, moves }: StartedBoard): Board {
    const start = setup !== null ? { setup } : fen ? { fen, unfinished: true } : {};
    const board = new Board(opened(parts).game, start);
    for (const move of moves) board.push(move);
    return board;
  }

  function engineOf(parts: GameParts): core.Engine {
    const at = opened(parts);
    at.engine ??= guard(() => new core.Engine(at.game.core, HASH_MB, null));
    return at.engine;
  }

  function turn(parts: GameParts, board: Board, level: number, seed: bigint): string[] {
    const engine = engineOf(parts);
    const found = guard(() => {
      const inner = new core.Board(opened(parts).game.core, board.fen(), true);
      try {
        if (level < MAX_LEVEL) return engine.play_at_level(inner, level, seed, []);
        return engine.search(inner, { time: FULL_SECONDS }, 1, [], (_: PlainLine[]) => undefined);
      } finally {
        inner.free();
      }
    });
    return (found as PlainDecision).moves;
  }

  function played(parts: GameParts, setup: number | null, level: number, seed: bigint): Played {
    const board = boardOf(parts, { fen: "", setup, moves: [] });
    let turns = 0;
    for (; turns < MOST_TURNS; turns++) {
      const outcome = board.outcome({ claimDraw: true });
      if (outcome) return { outcome, turns };
      for (const move of turn(parts, board, level, BigInt.asUintN(64, seed * 1000n + BigInt(turns)))) board.push(move);
    }
    return { outcome: board.outcome({ claimDraw: true }), turns };
  }

  return (question, report) => {
    const { game } = question;
    switch (question.ask) {
      case "study":
        return studied(game, opened);
      case "position": {
        const board = boardOf(game, { ...question.board, moves: question.board.moves.slice(0, -1) });
        const move = question.board.moves.at(-1);
        const san = move === undefined ? "" : board.san(move);
        if (move !== undefined) board.push(move);
        return { position: board.position(), outcome: board.outcome(), san } satisfies Reached;
      }
      case "reach":
        return boardOf(game, question.board).reach(question.square) satisfies Reach[];
      case "turn":
        return turn(game, boardOf(game, question.board), question.level, question.seed);
      case "games":
        for (let number = 0; number < question.count; number++) {
          const seed = (question.seed + BigInt(number)) % HALF;
          const setup = question.setup === "random" ? setupOf(opened(game).game, seed) : question.setup;
          report(played(game, setup, question.level, seed));
        }
        return null;
    }
  };
}

/** Return the number of a setup that follows from a seed; `null` if the game has none. */
function setupOf({ setups }: Game, seed: bigint): number | null {
  const mixed = Number(BigInt.asUintN(64, seed * 0x9e3779b97f4a7c15n) >> 32n);
  return setups.length === 0 ? null : 1 + (mixed % setups.length);
}

function studied(parts: GameParts, opened: (parts: GameParts) => { game: Game }): Studied {
  const { text = "", file } = parts;
  const faults: Fault[] = guard(() => core.check(text, file));
  let inherited: Plain | null = null;
  try {
    inherited = guard(() => core.inherited(text, file));
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
  }
  if (faults.length > 0) return { faults, inherited, game: null };
  try {
    return { faults, inherited, game: described(opened(parts).game) };
  } catch (error) {
    // The translation has faults of its own.
    if (!(error instanceof DefinitionError)) throw error;
    return { faults: error.faults, inherited, game: null };
  }
}

function described(game: Game): Described {
  const { id, name, author, year, summary, story, files, ranks, startFen, rulesHash, hasCheck } = game;
  const { turnsOfSeveralMoves, pieces, pieceValues: values } = game;
  const [options, setups, start] = [Object.values(game.options), game.setups.length, new Board(game).position()];
  const texts = { id, name, author, year, summary, story };
  const rules = { files, ranks, startFen, rulesHash, hasCheck, turnsOfSeveralMoves };
  return { ...texts, ...rules, pieces, options, setups, values, start };
}
