// Everything that a board knows, as plain data. Functions elsewhere turn one state into the next; only render*.ts
// reads it to draw.

import type { Arrow, Premove, Settings } from "./settings.ts";
import { type Arrangement, arrange } from "./setup.ts";
import type { Facing } from "./squares.ts";
import { english } from "./texts.ts";
import type { LegalMove, PieceKind, PieceOn, Reach, Side, Square } from "./types.ts";

/** What the player has in hand: a square's piece, or in the setup phase a piece of the tray. */
export type Hand = { square: Square } | { tray: string; group: number };

export interface Inspection {
  square: Square;
  /** `null` until the host has answered. */
  reach: Reach[] | null;
}

export interface State extends Settings {
  /** Whether the host answers where pieces could go. */
  knowsReach: boolean;
  /** Whether the host hears of every square that is chosen, instead of moves. */
  tellsSquares: boolean;
  /** The square that the keyboard is on. */
  focus: Square;
  /** The piece that the player has chosen or is dragging. */
  hand: Hand | null;
  /** Whether the piece in hand follows the pointer; where that is, is not kept here. */
  dragging: boolean;
  /** Where one's own piece in hand could go in the opponent's turn; `null` until the host has answered. */
  premoveReach: Reach[] | null;
  premove: Premove | null;
  /** Moves from and to the same squares, of which the player has to choose one. */
  choice: LegalMove[];
  /** The move that would end the turn and waits for a confirmation. It is shown as made. */
  held: LegalMove | null;
  /** The move that was made but not settled by a new position. It is shown as made. */
  made: LegalMove | null;
  /** Whether the next square that is chosen is inspected. */
  asking: boolean;
  inspected: Inspection | null;
  /** The player's own arrows and rings. */
  drawn: Arrow[];
  /** What was typed so far. */
  typed: string;
  /** Whether the offer to turn the device was put away. */
  staysUpright: boolean;
  /** Something to be read for a moment. */
  notice: string;
  /** The setup on the board during the setup phase. */
  arrangement: Arrangement;
}

/** What has to happen outside the state. */
export type Effect =
  | { what: "move"; move: LegalMove }
  | { what: "reach"; square: Square }
  | { what: "square"; square: Square }
  | { what: "type"; text: string }
  | { what: "say"; text: string }
  | { what: "arrange"; name: string | null }
  | { what: "undo" }
  | { what: "shuffle" }
  | { what: "setup"; name: string }
  | { what: "zoom" };

/** The next state, and what has to happen besides. */
export type Change = readonly [State, ...Effect[]];

export function initialState(settings: Partial<Settings>, knowsReach: boolean, tellsSquares = false): State {
  const state: State = {
    files: 8,
    ranks: 8,
    kinds: [],
    position: null,
    seat: null,
    orientation: "white",
    pieceSet: "art",
    coordinates: "margin",
    fit: "width",
    still: false,
    animation: true,
    sound: false,
    premoves: true,
    confirm: "several",
    setup: null,
    hints: [],
    counts: [],
    shown: null,
    start: null,
    promotionNote: null,
    texts: english,
    ...settings,
    knowsReach,
    tellsSquares,
    focus: "a1",
    hand: null,
    dragging: false,
    premoveReach: null,
    premove: null,
    choice: [],
    held: null,
    made: null,
    asking: false,
    inspected: null,
    drawn: [],
    typed: "",
    staysUpright: false,
    notice: "",
    arrangement: {},
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

export function kindOf(state: State, letter: string): PieceKind {
  const found = state.kinds.find((kind) => kind.letter === letter);
  return found ?? { ...UNKNOWN, letter, name: letter };
}

const UNKNOWN: PieceKind = {
  id: -1,
  letter: "",
  name: "",
  also: [],
  help: "",
  art: null,
  royal: false,
  soldier: false,
  values: {},
  promotes_to: [],
};
