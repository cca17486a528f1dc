// The shapes that positions and pieces have for the board too.

import type { PieceKind } from "../../board/src/types.ts";

export type { LegalMove, PieceKind, PieceOn, Position, Reach, Side } from "../../board/src/types.ts";

/** A kind of piece, in the shape that the board shows, and its move in Betza notation. */
export interface Kind extends PieceKind {
  move: string;
}
