// Made by tools/make_types.py from src/acedrex/widget/messages.py. Change that, and run it.

import type { Arrow, PieceSet, PieceType, Position, Reach, SetupPhase, Side } from "@acedrex/board";

export type Seat = "white" | "black" | "both";

/** What stays the same while a game is played. */
export interface Game {
  files: number;
  ranks: number;
  piece_types: PieceType[];
  setup: SetupPhase | null;
}

/** The name of the setup that was chosen last, if any. */
export interface LastSetup {
  last: string | null;
}

/** What is shown besides the position. */
export interface Shown {
  /** The side whose moves are made by hand now. */
  seat: Seat | null;
  orientation: Side;
  /** Only in the setup phase. */
  setup: LastSetup | null;
  arrows: Arrow[];
  /** A line below the choice of a promotion. */
  note: string | null;
  status: string;
  /** Whether there is a move to take back. */
  back: boolean;
  /** The greatest width, in pixels. */
  size: number;
  pieces: PieceSet;
}

/** A line of an engine: its score from White's point of view, its moves in SAN, its first turn as arrows. */
export interface Line {
  score: string;
  san: string;
  arrows: Arrow[];
}

/** The lines of an engine, the best first. */
export interface Lines {
  summary: string;
  /** White's winning chances according to the best line, from 0 to 1. */
  chance: number | null;
  /** The greatest number of lines. */
  most: number;
  lines: Line[];
}

/** The widget's state, which the page shows. */
export interface State {
  _game: Game;
  _position: Position;
  _shown: Shown;
  _lines: Lines | null;
}

/** A move was made on the board, after `at` half-moves. */
export interface Played {
  type: "move";
  text: string;
  at: number;
}

/** The last move of an unfinished turn is to be undone, or the player's last turn to be taken back. */
export interface TakenBack {
  type: "undo" | "back";
  at: number;
}

/** The board is to be flipped. */
export interface Flipped {
  type: "flip";
}

/** The setup to be played. */
export interface SetupChosen {
  type: "setup";
  text: string;
}

/**
 * A question, which is answered under its id.
 *
 * `reach` and `idle` are about the piece on a square: where does it go, and why has it no legal move? The text of
 * `alone` is a piece and its square: where could it go on an empty board? That of `arranged` is an arrangement. That of
 * `typed` was typed: which legal move does it mean?
 */
export interface Asked {
  type: "reach" | "idle" | "alone" | "arranged" | "typed";
  text: string;
  id: string;
}

/** A question for a random setup. */
export interface ShuffleAsked {
  type: "shuffle";
  id: string;
}

/** Why a message of the page was refused. */
export interface Refused {
  type: "refused";
  text: string;
}

/** Where a piece goes. */
export interface ReachAnswer {
  type: "answer";
  id: string;
  reach: Reach[];
}

/** Why a piece has no legal move; `None` if it has one. */
export interface IdleAnswer {
  type: "answer";
  id: string;
  reason: string | null;
}

/** The legal move that a text means, in coordinates, or why it means none. */
export interface MoveAnswer {
  type: "answer";
  id: string;
  move: string | null;
  why: string | null;
}

/** A setup's number, or the problem of an arrangement. */
export interface SetupAnswer {
  type: "answer";
  id: string;
  name: string;
  number: number | null;
  problem: string | null;
}

export type Question = Asked | ShuffleAsked;

export type FromPage = Played | TakenBack | Flipped | SetupChosen | Asked | ShuffleAsked;

export type Answer = ReachAnswer | IdleAnswer | MoveAnswer | SetupAnswer;

export type FromPython = Refused | ReachAnswer | IdleAnswer | MoveAnswer | SetupAnswer;
