// The state of a board, as plain data. Functions elsewhere turn one state into the next; only render*.ts draws it.

import type { Arrow, Premove, Settings } from "./settings.ts";
import { type Arrangement, arrange } from "./setup.ts";
import type { Facing } from "./squares.ts";
import { english } from "./texts.ts";
import type { LegalMove, PieceOn, PieceType, Position, Reach, Side, Square } from "./types.ts";

/** The piece in hand: a square's, or in the setup phase one from the tray. */
export type Hand = { square: Square } | { tray: string; group: number };

export interface Inspection {
  square: Square;
  /** `null` until the host has answered. */
  reach: Reach[] | null;
}

export interface State extends Settings {
  // What the host can do.
  /** Whether it answers where pieces could go. */
  knowsReach: boolean;
  /** Whether it is called with every square that is chosen, instead of with moves. */
  reportsSquares: boolean;
  /** Whether the host shows the arrows that are drawn. */
  reportsArrows: boolean;

  // The player's hand.
  /** The square with the keyboard focus. */
  focus: Square;
  /** The piece that the player has chosen or is dragging. */
  hand: Hand | null;
  /** Whether the piece in hand follows the pointer. The pointer's place is not part of the state. */
  dragging: boolean;
  /** Moves between the same squares, such as promotions, of which the player has to choose one. */
  choice: LegalMove[];
  /** The text typed so far. */
  typed: string;
  /**
   * The FEN of the position for which the typed text waits: it was entered before the legal moves were known. After a
   * move that was made, "": it waits for the next position.
   */
  entered: string | null;

  // Moves on their way.
  /** The move that waits for a confirmation. It is shown as made. */
  held: LegalMove | null;
  /** The move that was made before the host has set the position after it. */
  made: LegalMove | null;
  /** How many moves of the position's last turn are shown while it is played back; `null` for all of them. */
  playback: number | null;
  premove: Premove | null;
  /** The position that the premove was made on. */
  premovedOn: Position | null;
  /** Where the piece in hand could go after the opponent's turn; `null` until the host has answered. */
  premoveReach: Reach[] | null;

  // Inspection and drawing.
  /** Whether squares that are chosen are inspected, instead of moves made. */
  asks: boolean;
  /** Whether an inspected piece is shown on an empty board. In the setup phase it always is. */
  alone: boolean;
  inspected: Inspection | null;
  /** The player's own arrows and rings. */
  drawn: Arrow[];

  // The rest of the screen.
  /** The setup on the board during the setup phase. */
  arrangement: Arrangement;
  /** Whether the advice to rotate the device was dismissed. */
  staysUpright: boolean;
  /** A message that is shown for a moment. */
  notice: string;
}

/** What has to be done outside the state. */
export type Effect =
  | { what: "move"; move: LegalMove }
  | { what: "reach"; square: Square }
  | { what: "explain"; square: Square }
  | { what: "square"; square: Square }
  | { what: "arrow"; arrow: Arrow }
  | { what: "read"; text: string }
  | { what: "say"; text: string }
  | { what: "announce"; text: string }
  | { what: "arrange"; name: string | null }
  | { what: "undo" }
  | { what: "shuffle" }
  | { what: "setup"; name: string }
  | { what: "zoom" };

/** The next state, and the effects to perform. */
export type Change = readonly [State, ...Effect[]];

export function initialState(
  settings: Partial<Settings>,
  knowsReach: boolean,
  reportsSquares = false,
  reportsArrows = false,
): State {
  const state: State = {
    files: 8,
    ranks: 8,
    pieceTypes: [],

    position: null,
    awaited: null,
    start: null,

    seat: null,
    premoves: true,
    confirm: "several",
    promotion: "ask",
    promotionNote: null,
    setup: null,

    orientation: "white",
    pieceSet: "art",
    coordinates: "margin",
    fit: "width",
    still: false,
    animation: true,
    paced: false,
    sound: false,
    texts: english,

    hints: [],
    counts: [],
    drawing: null,
    shown: null,
    ...settings,

    knowsReach,
    reportsSquares,
    reportsArrows,

    focus: "a1",
    hand: null,
    dragging: false,
    choice: [],
    typed: "",
    entered: null,

    held: null,
    made: null,
    playback: null,
    premove: null,
    premovedOn: null,
    premoveReach: null,

    asks: false,
    alone: false,
    inspected: null,
    drawn: [],

    arrangement: {},
    staysUpright: false,
    notice: "",
  };
  return { ...state, arrangement: state.setup ? arrange(state.setup.phase, state.setup.name) : {} };
}

export function facing(state: State): Facing {
  return state;
}

export function otherSide(side: Side): Side {
  return side === "white" ? "black" : "white";
}

export function pieceAt(state: State, square: Square): PieceOn | undefined {
  return state.position?.pieces.find((piece) => piece.square === square);
}

export function pieceTypeOf(state: State, letter: string): PieceType {
  const found = state.pieceTypes.find((kind) => kind.letter === letter);
  return found ?? { ...UNKNOWN, letter, name: letter };
}

const UNKNOWN: PieceType = {
  id: -1,
  letter: "",
  name: "",
  also: [],
  help: "",
  art: null,
  emblem: { dots: "", lines: "", fine: "", letter: "" },
  royal: false,
  soldier: false,
  values: {},
  promotes_to: [],
};
