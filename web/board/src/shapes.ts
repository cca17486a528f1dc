// Made by tools/make_types.py from src/acedrex/shapes.py. Change that, and run it.

export type Side = "white" | "black";

/** How a square is reached; by a `hop` over another piece, whether it captures or not. */
export type ReachKind = "move" | "capture" | "both" | "hop";

/** A piece on a square. */
export interface PieceOn {
  square: string;
  /** The letter of its kind, in capitals for both sides: `N`, `R'`. */
  letter: string;
  side: Side;
}

/** A square that a piece reaches, and how. */
export interface Reach {
  to: string;
  kind: ReachKind;
  /** The square of the piece hopped over. */
  mount: string | null;
  /** Every square stepped on, the destination last. */
  path: string[];
  /** The squares where a leg ends, the destination last. */
  legs: string[];
}

/** A way from one square to another. */
export interface Way {
  from: string;
  to: string;
}

/** A legal move and what it does. Words such as `end` go from nowhere to nowhere. */
export interface LegalMove {
  from: string | null;
  /** As `acedrex.Move.uci` writes it: `f2h3`, `a7a8q`, `end`. */
  move: string;
  to: string | null;
  /** The letter of the kind that the piece becomes. */
  promotion: string | null;
  /** Nothing for castling, the King's jump, *en passant* and words. */
  reach: Reach | null;
  /** How to mark its destination. */
  kind: ReachKind;
  captured_on: string | null;
  /** The way of the other piece in castling. */
  partner: Way | null;
  check: boolean;
  ends_turn: boolean;
}

/** A position and what may be done in it. */
export interface Position {
  fen: string;
  turn: Side;
  /** Half-moves made since the start. */
  ply: number;
  pieces: PieceOn[];
  /** The moves of the turn under way. */
  turn_moves: string[];
  /** Moves that the turn may still have. */
  moves_left: number;
  /** Squares of the pieces that have moved in this turn. */
  moved: string[];
  /** Squares of the pieces that may still move, in games with turns of several moves. */
  in_command: string[] | null;
  /** Squares of the royal pieces in check. */
  check: string[];
  /** Of the side to move; none if the game is over. */
  legal: LegalMove[];
  /** Squares that the last move touched: from, on the way, to. */
  last: string[];
  /** Draws that may be claimed. */
  claimable: string[];
}

/** A kind of piece. */
export interface PieceKind {
  id: number;
  letter: string;
  name: string;
  /** Its other names. */
  also: string[];
  /** How it moves, in one line. */
  help: string;
  /** The id of its drawing; none for a letter on a disc. */
  art: string | null;
  royal: boolean;
  /** Whether none of its moves goes level or back. */
  soldier: boolean;
  /** What it is worth, by source. */
  values: Record<string, number>;
  /** Letters. */
  promotes_to: string[];
}

/** Pieces that are arranged on some squares: Black's, and White's in the same order. */
export interface SetupGroup {
  squares: string[];
  mirror: string[];
  /** Letters. */
  pieces: string[];
  /** The squares of Black's where a piece may stand, by its letter, if not on all of the group. */
  only: Record<string, string[]>;
}

/** What the chooser arranges, and in how many ways. */
export interface SetupPhase {
  count: number;
  groups: SetupGroup[];
}
