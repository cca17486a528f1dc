// Made by tools/make_types.py from src/acedrex/shapes.py. Change that, and run it.

export type Side = "white" | "black";

/** How a square is reached; by a `hop` over another piece, whether it captures or not. */
export type ReachKind = "move" | "capture" | "both" | "hop";

/** Drawings, diagrams of how the pieces move, or letters on discs. */
export type PieceSet = "art" | "geometric" | "letters";

/** A piece on a square. */
export interface PieceOn {
  square: string;
  /** The letter of its piece type, in capitals for both sides: `N`, `R'`. */
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

/** Where a piece goes from and to. */
export interface PartnerMove {
  from: string;
  to: string;
}

/** A legal move and what it does. Special moves such as `end` have no squares. */
export interface LegalMove {
  from: string | null;
  /** As `acedrex.Move.uci` writes it: `f2h3`, `a7a8q`, `end`. */
  move: string;
  to: string | null;
  /** The letter of the piece type that the piece becomes. */
  promotion: string | null;
  /** None for castling, the King's jump, *en passant* and special moves. */
  reach: Reach | null;
  /** How to mark its destination. */
  kind: ReachKind;
  captured_on: string | null;
  /** Where the other piece of castling goes from and to. */
  partner: PartnerMove | null;
  check: boolean;
  ends_turn: boolean;
}

/** A move of a turn of several moves. */
export interface TurnMove {
  /** The squares that it touched: its origin, its path and its destination. */
  path: string[];
  /** The pieces before it, as the first field of a FEN. */
  before: string;
}

/** A piece that may still move, and the royal pieces that may still command it. */
export interface Commanded {
  square: string;
  by: string[];
}

/** A position and the moves that are legal in it. */
export interface Position {
  fen: string;
  turn: Side;
  /** Half-moves made since the start. */
  ply: number;
  pieces: PieceOn[];
  /** The moves made in the current turn. */
  turn_moves: string[];
  /** How many more moves the current turn may have. */
  moves_left: number;
  /** Squares of the pieces that have moved in this turn. */
  moved: string[];
  /** Squares of the pieces that may still move, in games with turns of several moves. */
  in_command: string[] | null;
  /** Which royal pieces may still command which pieces; empty in games without command. */
  commanders: Commanded[];
  /** The moves of the current turn or, at its start, of the turn before; empty in games with one move per turn. */
  last_turn: TurnMove[];
  /** Squares of the royal pieces in check. */
  check: string[];
  /** The legal moves of the side to move; none if the game is over. */
  legal: LegalMove[];
  /** Squares that the last move touched: its origin, its path and its destination. */
  last: string[];
  /** Draws that may be claimed. */
  claimable: string[];
}

/** A plain drawing of how a piece moves: path data in a square from 0 to 100, to be stroked with round ends. */
export interface Emblem {
  /** Leaps: strokes 9 wide. */
  dots: string;
  /** Steps and slides: strokes 7 wide. */
  lines: string;
  /** Everything else, such as hops and moves that cannot capture: strokes 3 wide. */
  fine: string;
  /** The letter of the piece type if another one of the game moves alike, otherwise empty. */
  letter: string;
}

/** A piece type. */
export interface PieceType {
  id: number;
  letter: string;
  name: string;
  /** Its other names. */
  also: string[];
  /** How it moves, in one line. */
  help: string;
  /** The id of its drawing, or a drawing of its own as path data; none if it is shown as a letter on a disc. */
  art: string | null;
  /** Its picture in the geometric set. */
  emblem: Emblem;
  royal: boolean;
  /** Whether all its moves go forward. */
  soldier: boolean;
  /** Its values, by source. */
  values: Record<string, number>;
  /** The letters of the piece types that it can promote to. */
  promotes_to: string[];
}

/** Pieces that are arranged on given squares: Black's, and White's mirrored squares in the same order. */
export interface SetupGroup {
  squares: string[];
  mirror: string[];
  /** The letters of the pieces. */
  pieces: string[];
  /** Black's squares on which a piece may be placed, by its letter, if these are not all squares of the group. */
  only: Record<string, string[]>;
}

/** What the player who chooses the setup arranges, and the number of setups. */
export interface SetupPhase {
  count: number;
  groups: SetupGroup[];
}
