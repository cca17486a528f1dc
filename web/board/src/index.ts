// A board for chess on large boards, of any size from 3x3 to 16x16. See README.md beside this folder.

export { createBoard } from "./board.ts";
export { readHoles, readPlacement, stillPosition, symbolOf, turnStart } from "./fen.ts";
export { type FigurinePart, figurineParts, writeMoves } from "./figurines.ts";
export type { Docks } from "./render.ts";
export type {
  Arrow,
  Board,
  BoardOptions,
  Callbacks,
  Count,
  Premove,
  Settings,
  SetupChoice,
} from "./settings.ts";
export { play as playSound } from "./sound.ts";
export { installPieces, pieceSymbol } from "./sprite.ts";
export { fileOf, isSquare, rankOf, type Size, squareName } from "./squares.ts";
export { otherSide } from "./state.ts";
export { english, type Texts } from "./texts.ts";
export type * from "./types.ts";
