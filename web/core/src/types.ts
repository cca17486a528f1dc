// The shapes that positions and pieces have for the board too.

import type { PieceType } from "../../board/src/types.ts";

export type { LegalMove, PieceOn, PieceType, Position, Reach, Side } from "../../board/src/types.ts";

/** A piece type, in the shape that the board shows, and its move in Betza notation. */
export interface GamePieceType extends PieceType {
  move: string;
}
