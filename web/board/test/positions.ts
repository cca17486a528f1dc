// Small positions for the tests.

import { stillPosition } from "../src/fen.ts";
import type { Settings } from "../src/settings.ts";
import { initialState, type State } from "../src/state.ts";
import type { LegalMove, PieceOn, PieceType, Position, Side } from "../src/types.ts";

export function move(text: string, more: Partial<LegalMove> = {}): LegalMove {
  const squares = /^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(text);
  return {
    move: text,
    from: squares?.[1] ?? null,
    to: squares?.[2] ?? null,
    promotion: null,
    reach: null,
    kind: "move",
    captured_on: null,
    partner: null,
    check: false,
    ends_turn: true,
    ...more,
  };
}

export function kind(letter: string, name: string, more: Partial<PieceType> = {}): PieceType {
  return {
    id: 0,
    letter,
    name,
    also: [],
    help: `${name} moves.`,
    art: null,
    emblem: { dots: "", lines: "", fine: "", letter },
    royal: false,
    soldier: false,
    values: {},
    promotes_to: [],
    ...more,
  };
}

export const KINDS = [
  kind("K", "King", { royal: true }),
  kind("Q", "Queen"),
  kind("U", "Rhinoceros"),
  kind("R'", "Ship"),
  kind("P", "Pawn", { soldier: true, promotes_to: ["Q", "U"] }),
];

export function position(fen: string, legal: LegalMove[], more: Partial<Position> = {}): Position {
  return { ...stillPosition(fen), legal, ...more };
}

/** White to move on 12x12 with a Rhinoceros on g7, a Pawn on c11 and a King; Black has a Queen on h9 and a King. */
export function state(more: Partial<Settings> = {}): State {
  const legal = [
    move("g7h9", { kind: "capture", captured_on: "h9" }),
    move("g7g8"),
    move("f1f2"),
    move("c11c12q", { promotion: "Q" }),
    move("c11c12u", { promotion: "U" }),
  ];
  const fen = "5k6/2P9/12/7q4/12/6U5/12/12/12/12/12/5K6 w - - 0 1";
  const settings = { files: 12, ranks: 12, pieceTypes: KINDS, position: position(fen, legal), seat: "white" as Side };
  return initialState({ ...settings, ...more }, true);
}

export function at(pieces: PieceOn[], square: string): string | undefined {
  const piece = pieces.find((piece) => piece.square === square);
  return piece && `${piece.side} ${piece.letter}`;
}
