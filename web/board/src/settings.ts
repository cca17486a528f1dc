// The interface between a board and its host.

import type { Texts } from "./texts.ts";
import type { LegalMove, PieceOn, PieceSet, PieceType, Position, Reach, SetupPhase, Side, Square } from "./types.ts";

/** An arrow, or a ring if both squares are the same. */
export interface Arrow {
  from: Square;
  to: Square;
  colour: "lapis" | "vermilion" | "gold";
  /** Drawn weaker than others. */
  faint?: boolean;
}

/** How many pieces of each side attack a square. */
export interface Count {
  square: Square;
  white: number;
  black: number;
}

/** A move that is made as soon as it is the player's turn, if it is legal then. */
export interface Premove {
  from: Square;
  to: Square;
}

/** The choice of a setup in the setup phase. */
export interface SetupChoice {
  phase: SetupPhase;
  /** The setup to show, by name, or "" for an empty arrangement. The player's changes are not written here. */
  name: string;
  /** The number of the arrangement on the board, from the host; `null` until it is known. */
  number: number | null;
  /** What is wrong with the arrangement, from the host. */
  problem: string | null;
  /** The name of the setup that was chosen last time; `null` hides that button. */
  last: string | null;
  /** Whether this player chooses; otherwise the free squares are only highlighted. */
  mine: boolean;
}

/** Everything that a host can set, at first and later. The defaults are in `state.ts`, in the same groups. */
export interface Settings {
  // The game.
  files: number;
  ranks: number;
  /** The game's types of pieces, with names and help in the reader's language. */
  pieceTypes: PieceType[];

  // The position.
  /** The position with its legal moves. A new one replaces a move that the board has shown ahead of it. */
  position: Position | null;
  /** The FEN of the position that is still to come with its legal moves, if any: typed moves wait for it. */
  awaited: string | null;
  /** The FEN of the start; with it the pieces captured since are shown. */
  start: string | null;

  // Who plays, and how moves are made.
  /** The side whose moves can be made on this board. */
  seat: Side | "both" | null;
  premoves: boolean;
  /** When a move has to be confirmed: the last of a turn of several moves, always, or never. */
  confirm: "several" | "always" | "never";
  /** Whether players choose what a Pawn becomes, or get the Queen, as with premoves. */
  promotion: "ask" | "queen";
  /** A line below the choice of a promotion, such as a convention of the game. */
  promotionNote: string | null;
  /** The choice of a setup, while there is one. */
  setup: SetupChoice | null;

  // What it looks and sounds like.
  /** The side at the bottom. */
  orientation: Side;
  pieceSet: PieceSet;
  /** In the margin, if there is space for one, or always in the squares. */
  coordinates: "margin" | "squares" | "none";
  /** "width": as wide as its element, at any height; "box": as large as fits into its element. */
  fit: "width" | "box";
  /** A picture, without interaction and without a bar. */
  still: boolean;
  animation: boolean;
  /** Whether moves of a turn that others made are played back at a pace that can be followed, if motion is welcome. */
  paced: boolean;
  sound: boolean;
  texts: Texts;

  // What the host draws on it.
  /** Arrows, such as a hint. */
  hints: Arrow[];
  /** Numbers in the corners of squares: White's below, Black's above. */
  counts: Count[];
  /** The colour in which every pointer draws arrows and rings instead of moving pieces; else the right button draws. */
  drawing: Arrow["colour"] | null;
  /** A piece whose moves are shown, as an inspection does. */
  shown: { square: Square; reach: Reach[] } | null;
}

/** What a board calls in its host. */
export interface Callbacks {
  /** A legal move was made and is shown. Set the position after it, or a new object of the same to take it back. */
  onMove?(move: LegalMove): void;
  /** The player takes back the last move of an unfinished turn. */
  onUndo?(): void;
  /** The premove was set or cancelled. */
  onPremove?(premove: Premove | null): void;
  /** A square was chosen, empty or not. With this callback no moves are made. */
  onSquare?(square: Square): void;
  /**
   * Return where the piece on a square could go: for inspection, and for premoves, which include squares that it could
   * reach only after a move of the other side. Without this callback there is neither. With `alone`, answer as if this
   * piece stood alone on the board.
   */
  reach?(square: Square, premove: boolean, alone: PieceOn | null): Promise<Reach[]>;
  /** Return why a piece of the player's that was selected has no legal move; `null` if there is nothing to say. */
  explain?(square: Square): Promise<string | null>;
  /** A piece is inspected, or with `null` no longer. */
  onInspect?(square: Square | null): void;
  /**
   * Return the legal move that a typed text means, in coordinates, or `null` if it means none; or reject with an error
   * that says why. Without this callback only moves in coordinates can be typed.
   */
  read?(text: string): Promise<string | null>;
  /** The player's arrows and rings have changed. */
  onDraw?(arrows: Arrow[]): void;
  /** An arrow or a ring was drawn, or drawn again to remove it. With this callback the host shows them, as hints. */
  onArrow?(arrow: Arrow): void;
  /** The arrangement has changed: its name, or `null` while pieces are missing. Answer with `number` or `problem`. */
  onArrange?(name: string | null): void;
  /** A random arrangement is wanted. Answer with a new `name`. */
  onShuffle?(): void;
  /** The arrangement is confirmed. */
  onSetup?(name: string): void;
}

export type BoardOptions = Partial<Settings> & Callbacks;

export interface Board {
  /** Change some settings. Values are compared by identity: give new objects, do not change old ones. */
  set(changes: Partial<Settings>): void;
  /** Act on a text as if it were typed: a move or a square. */
  type(text: string): void;
  /** Announce a text to screen readers, and show it for a moment. */
  announce(text: string): void;
  /** Remove everything from the element. */
  destroy(): void;
}
