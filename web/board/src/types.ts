// What the board and those who use it say to each other: squares, pieces, plies. The server speaks the same shapes.

export type Side = "white" | "black";

/** A square's name: "g7", "l12". */
export type Square = string;

export interface PieceOn {
  square: Square;
  /** Token of its kind in capitals for both sides: "N", "R'". */
  letter: string;
  side: Side;
}

export type ReachKind = "move" | "capture" | "both" | "hop";

/** A square that a piece reaches, and how. */
export interface Reach {
  to: Square;
  kind: ReachKind;
  /** The square of the piece hopped over. */
  mount: Square | null;
  /** Every square stepped on, the destination last. */
  path: Square[];
  /** The squares where a leg ends, the destination last. */
  legs: Square[];
}

export interface LegalPly {
  /** Its text: "f2h3", "a7a8=Q", or a word: "end", "claim", "playon". */
  ply: string;
  /** `null` for words. */
  from: Square | null;
  to: Square | null;
  /** Letter of the kind promoted to. */
  promotion: string | null;
  /** `null` for castling, the King's jump, en passant and words. */
  reach: Reach | null;
  /** How to draw the mark on its destination. */
  kind: ReachKind;
  captured_on: Square | null;
  /** Where the other piece of castling goes from and to. */
  partner: [Square, Square] | null;
  check: boolean;
  ends_turn: boolean;
}

export interface Position {
  fen: string;
  turn: Side;
  /** Plies made since the start. */
  ply: number;
  pieces: PieceOn[];
  /** Inside a turn: the plies already made. */
  turn_plies: string[];
  /** Plies of the turn still to make. */
  plies_left: number;
  /** Squares of pieces that have moved this turn. */
  moved: Square[];
  /** Squares of pieces that may still move, in turns of several plies; else `null`. */
  in_command: Square[] | null;
  /** Squares of royals in check. */
  check: Square[];
  /** Of the side to move; empty if the match is over. */
  legal: LegalPly[];
  /** Squares of the last ply: from, those on its path, to. */
  last: Square[];
  /** Draws that may be claimed. */
  claimable: string[];
}

export interface PieceKind {
  id: number;
  letter: string;
  name: string;
  also: string[];
  /** One line that says how it moves. */
  help: string;
  /** Id of its drawing; `null` for a letter on a disc. */
  art: string | null;
  royal: boolean;
  soldier: boolean;
  values: Record<string, number>;
  /** Letters. */
  promotes_to: string[];
}

/** Black arranges the pieces of each group on `squares`; White's mirror stands on `mirror`, pair by pair. */
export interface SetupPhase {
  count: number;
  groups: SetupGroup[];
}

export interface SetupGroup {
  squares: Square[];
  mirror: Square[];
  /** Letters. */
  pieces: string[];
  /** By letter, the squares of Black's where that piece may stand, if not on all of the group. */
  only?: Record<string, Square[]>;
}
