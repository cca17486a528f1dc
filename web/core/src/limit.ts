// Limits of a search, and what it finds.

import { AcedrexError, seconds, whole } from "./errors.ts";
import type { PlainLimit } from "./messages.ts";
import type { Side } from "./types.ts";

/** When a search ends: at the first limit reached. Without any, it runs until it is stopped. */
export interface Limit {
  /** Seconds for this turn. */
  time?: number;
  /** Search depth in half-moves. */
  depth?: number;
  /** Positions to visit. */
  nodes?: number;
  /** End the search once a mate within this number of turns is found. */
  mate?: number;
  /** Seconds left on White's clock, which may be negative. */
  whiteClock?: number;
  /** Seconds left on Black's clock. */
  blackClock?: number;
  /** White's increment in seconds per turn. */
  whiteInc?: number;
  /** Black's increment. */
  blackInc?: number;
  /** Turns until the next time control; by default the clock is for the whole game. */
  remainingMoves?: number;
}

/** A score for the side to move: centipawns, or turns to mate, negative if it is mated. One of the two is `null`. */
export interface Score {
  cp: number | null;
  mate: number | null;
  /** The estimated chances of winning, drawing and losing, in thousandths. */
  wdl: [wins: number, draws: number, losses: number];
}

/** The state of a search: its depth, score, counts and principal variation. */
export interface Info {
  /** The depth searched in full, in half-moves. */
  depth: number;
  /** The length of the longest line searched, in half-moves. */
  seldepth: number;
  /** The rank of the line, from 1. */
  multipv: number;
  score: Score;
  /** The side to move, from whose point of view the score is. */
  turn: Side;
  /** `lower` or `upper` if the score is only a bound. */
  bound: "lower" | "upper" | null;
  nodes: number;
  /** Nodes per second. */
  nps: number;
  /** Seconds since the search began. */
  time: number;
  /** How full the hash table is, in thousandths. */
  hashfull: number;
  /** The principal variation. */
  pv: string[];
  /** The principal variation in SAN, with move numbers. */
  pvSan: string;
}

/** The turn that an engine would play. */
export interface PlayResult {
  /** The first move of the turn; `null` if the game is over. */
  move: string | null;
  /** The whole turn: one move in most games, including an early `end`; empty if the game is over. */
  moves: string[];
  /** The expected reply: a whole turn, or nothing. */
  ponder: string[];
  /** The last state of the search; `null` if there was nothing to search. */
  info: Info | null;
}

/** Seconds reserved per turn if the limit has a clock. */
const OVERHEAD = 0.03;
const MOST = 2 ** 31 - 1;
const COUNTS = { depth: MOST, nodes: Number.MAX_SAFE_INTEGER, mate: MOST, remainingMoves: MOST };
const TIMES = { time: 0, whiteInc: 0, blackInc: 0, whiteClock: -Infinity, blackClock: -Infinity };

/** Check a limit, and choose the clock of the side to move. Throws `AcedrexError` if a number is out of its range. */
export function plainLimit(limit: Limit, turn: Side): PlainLimit {
  if (typeof limit !== "object" || limit === null)
    throw new AcedrexError("limit: expected an object such as { time: 1 }");
  for (const [name, value] of Object.entries(limit)) {
    if (value === undefined) continue;
    if (name in COUNTS) whole(name, value, 1, COUNTS[name as keyof typeof COUNTS]);
    else if (name in TIMES) seconds(name, value, TIMES[name as keyof typeof TIMES]);
    else
      throw new AcedrexError(
        `no limit ${name}; there are ${[...Object.keys(COUNTS), ...Object.keys(TIMES)].join(", ")}`,
      );
  }
  const { time, depth, nodes, mate, remainingMoves } = limit;
  const white = turn === "white";
  const [clock, increment] = white ? [limit.whiteClock, limit.whiteInc] : [limit.blackClock, limit.blackInc];
  return { time, depth, nodes, mate, clock, increment, remainingMoves, overhead: OVERHEAD };
}

/** A line as the core writes it. */
export type PlainLine = Omit<Info, "score"> & Score;

/** A decision as the core writes it. */
export interface PlainDecision {
  moves: string[];
  ponder: string[];
  lines: PlainLine[];
}

export function infoOf({ cp, mate, wdl, ...rest }: PlainLine): Info {
  return { ...rest, score: { cp, mate, wdl } };
}
