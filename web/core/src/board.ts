// Boards: positions with their history, with the names that they have in Python.

import * as core from "../compiled/core.js";
import { AcedrexError, guard, textList, text as textOf, whole } from "./errors.ts";
import { Game } from "./game.ts";
import type { Outcome } from "./outcome.ts";
import type { LegalMove, PieceOn, Position, Reach, Side } from "./types.ts";

/** A move in coordinates: `f2h3`, `e11e12q`, `end`, `claim`, `playon`; `0000` for a null move. */
export type Move = string;

/** Where a board begins: a FEN or a setup, by name or number, from 1. */
export interface BoardStart {
  fen?: string;
  setup?: string | number;
  /** Whether the FEN may be one of a position that cannot be played; see `status`. */
  unfinished?: boolean;
}

/** What a legal move does, and the captured piece. */
export interface MoveInfo extends LegalMove {
  captured: Omit<PieceOn, "square"> | null;
}

/** Why a position cannot be played: a name for programs and a sentence for people. */
export interface Problem {
  name: string;
  message: string;
}

/** Deeper trees could never be counted. */
const MAX_DEPTH = 64;
const MAX_MOVES = 2 ** 32 - 1;

/** Free the memory of a board that nobody has any more; without that it is freed some time after. */
export let release: (board: Board) => void;

/**
 * The board in the core.
 *
 * @internal
 */
export let coreOf: (board: Board) => core.Board;

/**
 * A board for one in the core.
 *
 * @internal
 */
export let boardOf: (game: Game, made: core.Board) => Board;

function isWhite(name: string, side: unknown): boolean {
  if (side !== "white" && side !== "black") throw new AcedrexError(`${name}: expected "white" or "black"`);
  return side === "white";
}

/** A position of a game, with the moves that led to it. */
export class Board {
  /** The game. */
  readonly game: Game;
  #core: core.Board;

  static {
    release = (board) => board.#core.free();
    coreOf = (board) => board.#core;
    boardOf = (game, made) => {
      const board = new Board(game);
      release(board);
      board.#core = made;
      return board;
    };
  }

  /** Throws `InvalidFenError` if the FEN is not a position of the game, `AcedrexError` if there is no such setup. */
  constructor(game: Game, { fen, setup, unfinished = false }: BoardStart = {}) {
    if (!(game instanceof Game)) throw new AcedrexError('game: expected a game, such as await load("maasai")');
    if (fen !== undefined && setup !== undefined) throw new AcedrexError("give a FEN or a setup, not both");
    const start = setup !== undefined ? game.setups.fen(setup) : fen !== undefined ? textOf("fen", fen) : undefined;
    this.game = game;
    this.#core = guard(() => new core.Board(game.core, start, unfinished === true));
  }

  /** Return a copy with all moves, or with the last ones. */
  copy(moves?: number): Board {
    const last = moves === undefined ? undefined : whole("moves", moves, 0, MAX_MOVES);
    return boardOf(
      this.game,
      guard(() => this.#core.copy(last)),
    );
  }

  /** Return the FEN, which has a seventh field inside a turn. */
  fen(): string {
    return guard(() => this.#core.fen());
  }

  /** The FEN of the position before the first move. */
  get rootFen(): string {
    return guard(() => this.#core.root_fen());
  }

  /** The side to move. Setting it clears the history. */
  get turn(): Side {
    return guard(() => this.#core.turn()) as Side;
  }
  set turn(side: Side) {
    guard(() => this.#core.set_turn(isWhite("turn", side)));
  }

  /**
   * The rights held, as in the third field of the FEN: letters, or `-`. Setting them clears the history.
   *
   * Throws `InvalidFenError` on setting a letter that is not a right, or one whose pieces are not on their squares.
   */
  get rights(): string {
    return guard(() => this.#core.rights());
  }
  set rights(rights: string) {
    guard(() => this.#core.set_rights(textOf("rights", rights)));
  }

  /** Half-moves without a capture or a soldier's move; turns, where a turn has several moves. */
  get halfmoveClock(): number {
    return guard(() => this.#core.halfmove_clock());
  }

  /** The move number, from 1. */
  get fullmoveNumber(): number {
    return guard(() => this.#core.fullmove_number());
  }

  /** A 64-bit key: equal for positions that count as the same. */
  get key(): bigint {
    return guard(() => this.#core.key());
  }

  /** Return the number of moves made. */
  ply(): number {
    return guard(() => this.#core.ply());
  }

  /** The legal moves. */
  get legalMoves(): Move[] {
    return guard(() => this.#core.legal_moves());
  }

  /** The moves made, oldest first. */
  get moveStack(): Move[] {
    return guard(() => this.#core.move_stack());
  }

  /** The moves of the current turn. */
  get turnMoves(): Move[] {
    return guard(() => this.#core.turn_moves());
  }

  /** How many more moves the current turn may have. */
  get movesLeft(): number {
    return guard(() => this.#core.moves_left());
  }

  /** Return whether a text in coordinates is a legal move. */
  isLegal(move: Move): boolean {
    try {
      return textOf("move", move) === this.parseUci(move);
    } catch (error) {
      if (error instanceof AcedrexError && error.name.endsWith("MoveError")) return false;
      throw error;
    }
  }

  /**
   * Make a legal move, or a null move where it is allowed.
   *
   * Throws `InvalidMoveError` if the text is not a move, `IllegalMoveError` if it is not legal; the message says why.
   */
  push(move: Move): void {
    guard(() => this.#core.push(textOf("move", move)));
  }

  /** Read a move in SAN or coordinates, make it and return it. Throws as `push`, and `AmbiguousMoveError`. */
  pushSan(san: string): Move {
    const move = this.parseSan(san);
    this.push(move);
    return move;
  }

  /**
   * Read a whole turn, its moves joined by commas, make it and return its moves. Ends a turn that could go on.
   *
   * Throws as `pushSan`, also if the text is not one whole turn; the board is unchanged.
   */
  pushTurn(turn: string): Move[] {
    return guard(() => this.#core.push_turn(textOf("turn", turn)));
  }

  /** Take back the last move and return it. Throws `AcedrexError` if there is none. */
  pop(): Move {
    return guard(() => this.#core.pop());
  }

  /** Read a legal move in coordinates, and return it as `legalMoves` writes it. Throws as `push`. */
  parseUci(uci: string): Move {
    return guard(() => this.#core.parse_uci(textOf("move", uci)));
  }

  /** Read a legal move in SAN or coordinates. Throws as `pushSan`. */
  parseSan(san: string): Move {
    return guard(() => this.#core.parse_san(textOf("san", san)));
  }

  /** Read a whole turn and return its moves. Throws as `pushTurn`. */
  parseTurn(turn: string): Move[] {
    return guard(() => this.#core.parse_turn(textOf("turn", turn)));
  }

  /** Write a legal move in SAN. Throws as `push`. */
  san(move: Move): string {
    return guard(() => this.#core.san(textOf("move", move)));
  }

  /** Write a legal move in long algebraic notation: SAN with its whole origin, `Nc2-d4`. Throws as `push`. */
  lan(move: Move): string {
    return guard(() => this.#core.lan(textOf("move", move)));
  }

  /** Write the moves of a turn in SAN, joined by commas, without an early `end`; a pass is `pass`. Throws as `push`. */
  turnSan(moves: Move[]): string {
    return guard(() => this.#core.turn_san(textList("moves", moves)));
  }

  /** Write a line of moves in SAN, with move numbers. Throws as `push`. */
  variationSan(moves: Move[]): string {
    return guard(() => this.#core.variation_san(textList("moves", moves)));
  }

  /** Return what a legal move does. Throws as `push`. */
  moveInfo(move: Move): MoveInfo {
    const [json, captured] = guard(() => this.#core.move_info(textOf("move", move)));
    return { ...JSON.parse(json), captured };
  }

  /**
   * Return where the piece on a square, of either side, could go by its own moves, and how.
   *
   * Check is ignored, and castling, the King's jump and en passant are not included; the legal moves have them. Throws
   * `AcedrexError` if the board has no such square.
   */
  reach(square: string): Reach[] {
    return JSON.parse(guard(() => this.#core.reach(textOf("square", square))));
  }

  /**
   * Return where the piece on a square might go after the next move of the other side, for premoves: also where it could
   * capture only then. Throws as `reach`.
   */
  premoves(square: string): Reach[] {
    return JSON.parse(guard(() => this.#core.premoves(textOf("square", square))));
  }

  /**
   * Return why the piece on a square has no legal move, in the language of the game; `null` if it has one or may not move
   * now. Throws as `reach`.
   */
  whyIdle(square: string): string | null {
    return guard(() => this.#core.why_idle(textOf("square", square), this.game.language)) ?? null;
  }

  /**
   * Return the squares of a side's pieces that would capture on a square if an enemy stood there. Throws `AcedrexError` if
   * the board has no such square.
   */
  attackers(side: Side, square: string): string[] {
    return guard(() => this.#core.attackers(isWhite("side", side), textOf("square", square)));
  }

  /** The pieces on the board. */
  get pieces(): PieceOn[] {
    return guard(() => this.#core.pieces());
  }

  /**
   * Put a piece, written as in FEN, on a square, or with `null` clear the square. This clears the history, and the position
   * may become one that cannot be played; see `status`. Throws `AcedrexError` if the game has no such piece or square.
   */
  setPieceAt(square: string, piece: string | null): void {
    const symbol = piece === null ? undefined : textOf("piece", piece);
    guard(() => this.#core.set_piece(textOf("square", square), symbol));
  }

  /** Remove all pieces and rights, with White to move. This clears the history. */
  clear(): void {
    guard(() => this.#core.clear());
  }

  /** Return whether the side to move is in check; always false in a game without check. */
  isCheck(): boolean {
    return guard(() => this.#core.is_check());
  }

  /** Return whether a legal move attacks the enemy's King, also by discovery. Throws as `push`. */
  givesCheck(move: Move): boolean {
    return guard(() => this.#core.gives_check(textOf("move", move)));
  }

  /** Return the outcome, or `null` while the game is in progress. With `claimDraw`, a draw that may be claimed counts. */
  outcome({ claimDraw = false } = {}): Outcome | null {
    return (guard(() => this.#core.outcome(claimDraw === true)) as Outcome | undefined) ?? null;
  }

  /** Return whether the game is over. */
  isGameOver(options: { claimDraw?: boolean } = {}): boolean {
    return this.outcome(options) !== null;
  }

  /** Return the result as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, or `*` while the game is in progress. */
  result(options: { claimDraw?: boolean } = {}): Outcome["result"] | "*" {
    return this.outcome(options)?.result ?? "*";
  }

  /**
   * Return the outcome if a side resigns, runs out of time or leaves the game.
   *
   * Time and abandonment are a draw if the opponent cannot win. Throws `AcedrexError` for any other termination.
   */
  forfeit(termination: "resignation" | "time" | "abandonment", loser: Side): Outcome {
    const white = isWhite("loser", loser);
    const outcome = guard(() => this.#core.forfeit(textOf("termination", termination), white));
    if (outcome) return outcome as Outcome;
    throw new AcedrexError(`${termination} is not a way to forfeit a game; resignation, time and abandonment are`);
  }

  /** Return the outcome if the players agree on a draw. */
  agreement(): Outcome {
    return guard(() => this.#core.agreement()) as Outcome;
  }

  /** Return the draws that the side to move may claim. */
  claimable(): ("threefold_repetition" | "fifty_moves")[] {
    return guard(() => this.#core.claimable());
  }

  /** Return how often the position at the start of the turn has occurred, this time included. */
  repetitions(): number {
    return guard(() => this.#core.repetitions());
  }

  /** Return every problem that makes the position unplayable; none if it can be played. */
  status(): Problem[] {
    const pairs: [string, string][] = guard(() => this.#core.problems());
    return pairs.map(([name, message]) => ({ name, message }));
  }

  /** Return the name of the setup that the pieces form; `null` if they form none. */
  setupName(): string | null {
    return guard(() => this.#core.setup_name()) ?? null;
  }

  /** Return the position with its legal moves as plain data, as the board shows it. */
  position(): Position {
    return JSON.parse(guard(() => this.#core.position()));
  }

  /** Count the leaves after so many legal moves. A deep count takes long, and nothing can stop it but ending its thread. */
  perft(depth: number): number {
    return guard(() => this.#core.perft(whole("depth", depth, 0, MAX_DEPTH)));
  }

  /** Count as `perft`, separately for each first move. */
  divide(depth: number): [Move, number][] {
    return guard(() => this.#core.divide(whole("depth", depth, 0, MAX_DEPTH)));
  }

  /** Return whether another board has the same game, options and position, whatever their histories. */
  equals(other: Board): boolean {
    return other instanceof Board && guard(() => this.#core.equals(other.#core));
  }
}
