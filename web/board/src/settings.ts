// What the host of a board gives it and hears from it.

import type { Texts } from "./texts.ts";
import type { LegalMove, PieceKind, Position, Reach, SetupPhase, Side, Square } from "./types.ts";

/** An arrow, or a ring where both squares are one. */
export interface Arrow {
  from: Square;
  to: Square;
  colour: "lapis" | "vermilion" | "gold";
  /** Of less weight than others. */
  faint?: boolean;
}

/** How many pieces of each side attack a square, as the host counted them. */
export interface Count {
  square: Square;
  white: number;
  black: number;
}

/** A move to be made as soon as it is one's turn. */
export interface Premove {
  from: Square;
  to: Square;
}

/** The choice of a setup, while it goes on. */
export interface SetupChoice {
  phase: SetupPhase;
  /** The arrangement to show when it changes: a setup's name, or "" for an empty one. The player changes it from there. */
  name: string;
  /** Number of the arrangement on the board, as the host found it; `null` while it is not known. */
  number: number | null;
  /** What is wrong with the arrangement, as the host found it. */
  problem: string | null;
  /** The name that was chosen last time; `null` hides that button. */
  last: string | null;
  /** Whether the one who looks chooses; else the free squares only glow. */
  mine: boolean;
}

/** All that a host may set, at first and later. */
export interface Settings {
  files: number;
  ranks: number;
  /** The game's kinds of pieces, with names and help in the reader's language. */
  kinds: PieceKind[];
  /** What stands where, and what may be played. A new one settles whatever move was shown before its time. */
  position: Position | null;
  /** Whose moves may be made here. */
  seat: Side | "both" | null;
  /** Whose side is below. */
  orientation: Side;
  pieceSet: "art" | "letters";
  /** In the margin, if there is room for one, or always in the squares. */
  coordinates: "margin" | "squares" | "none";
  /** "width": as wide as its element, however high that makes it; "box": as large as fits into its element. */
  fit: "width" | "box";
  /** A picture: nothing can be touched and there is no bar. */
  still: boolean;
  animation: boolean;
  sound: boolean;
  premoves: boolean;
  /** Whether a move that ends the turn is held until confirmed: only in turns of several moves, always, or never. */
  confirm: "several" | "always" | "never";
  setup: SetupChoice | null;
  /** Arrows of the host, such as a hint. */
  hints: Arrow[];
  /** Numbers in the corners of squares: White's below, Black's above. */
  counts: Count[];
  /** A piece whose ways the host shows, as an inspection does. */
  shown: { square: Square; reach: Reach[] } | null;
  /** The start's FEN: shows the pieces captured since. */
  start: string | null;
  /** A line under the choice of a promotion, such as what good manners prefer. */
  promotionNote: string | null;
  texts: Texts;
}

/** What a board tells its host. */
export interface Callbacks {
  /** A legal move was made. The board shows it already; set a position to settle it or to take it back. */
  onMove?(move: LegalMove): void;
  /** The player takes back the last move of an unfinished turn. */
  onUndo?(): void;
  /** The premove was set or dropped. */
  onPremove?(premove: Premove | null): void;
  /** A square was chosen, by a tap or a key, with a piece on it or without. With this nothing is played. */
  onSquare?(square: Square): void;
  /**
   * Where the piece on a square could go: for inspection, and for premoves, where squares count too that it could
   * reach only after a move of the other side. Without it neither is offered.
   */
  reach?(square: Square, premove: boolean): Promise<Reach[]>;
  /** A piece is being inspected, or no longer. */
  onInspect?(square: Square | null): void;
  /** Text was typed that is neither a move nor clearly means one. Resolve it and set a position, or call `announce`. */
  onType?(text: string): void;
  /** The player's arrows and rings have changed. */
  onDraw?(arrows: Arrow[]): void;
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
  /** Play or show what a text means: a move, a piece's letter and a square, a square. `false` if it was left to the host. */
  type(text: string): boolean;
  /** Tell a text to those who listen, and show it for a moment. */
  announce(text: string): void;
  /** Remove everything from the element. */
  destroy(): void;
}
