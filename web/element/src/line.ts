// A line of moves of a game, of which some are made on the board.

import { MAX_TREE_MOVES } from "../../core/src/limits.ts";
import type * as Core from "./core.ts";
import { MOST_TEXT, short, Trouble, variantOf, type Wanted } from "./wanted.ts";

/** A move, and what is said about it. */
export interface Step {
  move: string;
  san: string;
  comment: string;
}

export class Line {
  readonly game: Core.Game;
  readonly #start: Core.Board;
  #steps: Step[];
  /** The board at `at`. */
  #board: Core.Board;
  /** What is said before the first move. */
  readonly comment: string;

  private constructor(start: Core.Board, steps: Step[], comment: string, at: number | null) {
    this.game = start.game;
    this.#start = start;
    this.#steps = steps;
    this.comment = comment;
    this.#board = this.#made(Math.min(at ?? steps.length, steps.length));
  }

  /** Read what a page asks for. Throws `Trouble`, or one of the core's errors. */
  static async read(core: typeof Core, wanted: Wanted): Promise<Line> {
    const { language, pgn, fen, setup, at } = wanted;
    const definition = await definitionOf(wanted);
    if (pgn) return Line.#recorded(core, wanted, definition);
    const [, options = ""] = wanted.game.split(":", 2);
    const game = definition
      ? await core.load(definition, { options: core.readOptions(options), language })
      : await core.load(wanted.game, { language });
    const start = new core.Board(game, {
      ...(fen === null ? {} : { fen, unfinished: wanted.shown !== null }),
      ...(setup === null ? {} : { setup: /^\d{1,15}$/.test(setup) ? Number(setup) : setup }),
    });
    return new Line(start, stepsOf(start, wanted.moves), "", at);
  }

  static async #recorded(
    core: typeof Core,
    { pgn, game, language, at }: Wanted,
    definition: Core.Definition | null,
  ): Promise<Line> {
    const [id = "", options = ""] = (game || "own").replace(/["\\\n]/g, "").split(":", 2);
    const text = variantOf(pgn) === null ? `[Variant "${id}"]\n[Options "${options}"]\n${pgn}` : pgn;
    // In a worker that can be ended: a PGN that takes long must not freeze the page.
    const list = await core.readMoves(text, {
      definitions: definition ? { [id]: definition } : {},
      most: MAX_TREE_MOVES,
    });
    if (!list) throw new Trouble("pgn: it has no game");
    const error = list.errors[0];
    if (error || list.game === null) throw new Trouble(`pgn, ${error}`);
    const loaded = await core.load(definition ?? list.game, { options: list.options, language });
    const start = new core.Board(loaded, { fen: list.startFen });
    return new Line(start, mainline(list.moves), list.comment, at);
  }

  /** The board as it is shown; do not change it. */
  get board(): Core.Board {
    return this.#board;
  }
  get steps(): readonly Step[] {
    return this.#steps;
  }
  get at(): number {
    return this.#board.ply();
  }

  /** Show the position after so many moves. */
  go(at: number): void {
    this.#board = this.#made(Math.min(Math.max(at, 0), this.#steps.length));
  }

  /** Make a move after the one that is shown, in the place of those that followed. */
  push(move: string): Step {
    const step = { move, san: this.#board.san(move), comment: "" };
    const next = this.#board.copy();
    next.push(move);
    this.#steps = [...this.#steps.slice(0, this.at), step];
    this.#board = next;
    return step;
  }

  /** Replace the moves by others, and show the last one if the last one was shown. */
  follow(moves: string): void {
    const steps = stepsOf(this.#start, moves);
    const latest = this.at === this.#steps.length;
    this.#steps = steps;
    this.#board = this.#made(latest ? steps.length : Math.min(this.at, steps.length));
  }

  #made(count: number): Core.Board {
    const board = this.#start.copy();
    for (const { move } of this.#steps.slice(0, count)) board.push(move);
    return board;
  }
}

/** The moves of the main line, of which each is the first after the one before it. */
function mainline(moves: readonly Core.ListedMove[]): Step[] {
  const steps: Step[] = [];
  let last = -1;
  for (const [index, { parent, move, san, comment }] of moves.entries()) {
    if (parent !== last) continue;
    steps.push({ move, san, comment });
    last = index;
  }
  return steps;
}

async function definitionOf({ definition }: Wanted): Promise<Core.Definition | null> {
  if (!definition) return null;
  if ("text" in definition) return bounded(definition.text);
  const address = new URL(definition.address, document.baseURI);
  if (address.origin !== location.origin) throw new Trouble(`definition: ${address.host} is another site`);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Trouble(`definition: ${address.pathname} cannot be loaded`);
  return bounded(await answer.text());
}

function bounded(text: string): Core.Definition {
  if (text.length > MOST_TEXT) throw new Trouble(`definition: at most ${MOST_TEXT} characters`);
  return { text, file: "definition" };
}

/** Read moves as people write them: in SAN or coordinates, with or without move numbers, turns joined by commas. */
function stepsOf(start: Core.Board, text: string): Step[] {
  const board = start.copy();
  const steps: Step[] = [];
  for (const word of text.split(/\s+/)) {
    const token = word.replace(/^\d+\.+/, "");
    if (token === "") continue;
    if (steps.length >= MAX_TREE_MOVES) throw new Trouble(`moves: at most ${MAX_TREE_MOVES}`);
    try {
      for (const move of board.isLegal(token) ? [token] : board.parseTurn(token)) {
        steps.push({ move, san: board.san(move), comment: "" });
        board.push(move);
      }
    } catch (error) {
      throw new Trouble(`moves: ${short(token)}: ${error instanceof Error ? error.message : "it cannot be read"}`);
    }
  }
  return steps;
}
