// The rules of matches, which are the server's: what a command makes of a match, and its clocks; and attempts at puzzles.
// Events, commands and states have the shapes of the server's storage and messages.

import * as core from "../compiled/core.js";
import { type Board, boardOf, coreOf } from "./board.ts";
import { guard } from "./errors.ts";
import type { Game } from "./game.ts";

/** A match, folded from its events. */
export class Match {
  readonly #game: Game;
  readonly #core: core.Match;

  /** Throws `AcedrexError` if the events are not those of a match of this game. */
  constructor(game: Game, events: unknown[]) {
    this.#game = game;
    this.#core = guard(() => new core.Match(JSON.stringify(events), game.core));
  }

  /** Applies the next event; after an error the match must not be used any more. */
  apply(event: unknown): void {
    guard(() => this.#core.apply(JSON.stringify(event)));
  }

  /** What comes of a command of somebody who plays some sides: `events`, or a `refusal`. */
  decide(command: unknown, seats: string[], context: { now: number; rematch?: string }): unknown {
    return JSON.parse(guard(() => this.#core.decide(JSON.stringify({ command, seats, context }))));
  }

  /** The commands that the player of some sides may send now. */
  may(seats: string[]): unknown {
    return JSON.parse(guard(() => this.#core.may(JSON.stringify(seats))));
  }

  /** The state besides moves and position. */
  state(): unknown {
    return JSON.parse(guard(() => this.#core.state()));
  }

  moves(): unknown {
    return JSON.parse(guard(() => this.#core.moves()));
  }

  /** The clock as it is shown at a moment; `null` without one. */
  clock(now: number): unknown {
    return JSON.parse(guard(() => this.#core.clock(now)) ?? "null");
  }

  /** What the clock of its side showed after a move, in milliseconds; `null` without a clock. */
  shown(index: number): number | null {
    return guard(() => this.#core.shown(index)) ?? null;
  }

  /** The moment at which the flag falls, unless the player moves; `null` if no clock runs. */
  get deadline(): number | null {
    return guard(() => this.#core.deadline()) ?? null;
  }

  /** How many milliseconds the engine may think about its turn. */
  thinking(now: number): number {
    return guard(() => this.#core.thinking(now));
  }

  /** The value of the PGN tag `TimeControl`. */
  get timeTag(): string {
    return guard(() => this.#core.time_tag());
  }

  /** A copy of the position with its history. */
  board(): Board {
    return boardOf(
      this.#game,
      guard(() => this.#core.board()),
    );
  }
}

/** What is said of the last move of an attempt at a puzzle, and the moves that are accepted, with the reply to them. */
export function attempt(
  start: Board,
  goal: string,
  line: string[],
  moves: string[],
): { verdict: unknown; moves: string[] } {
  const [verdict, ...accepted] = guard(() => core.attempt(coreOf(start), goal, line, moves)) as string[];
  return { verdict, moves: accepted };
}
