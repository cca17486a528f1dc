// The view of a board: its scale, and how far it is moved within the viewport, in pixels.

import type { Point } from "./squares.ts";

export interface View {
  scale: number;
  x: number;
  y: number;
}

/** The size of the board at scale 1, and the largest viewport that there is space for. */
export interface Room {
  files: number;
  ranks: number;
  /** Pixels of a square at scale 1. */
  square: number;
  /** Pixels of the largest viewport. */
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** Smaller squares are too small for a finger: the board begins enlarged. */
export const TOO_SMALL_PX = 24;
/** The size of squares of an enlarged board. */
const COMFORTABLE_PX = 40;
/** Smaller squares need a magnifier. */
export const NEEDS_LOUPE_PX = 36;
const LARGEST_PX = 120;

/** Return the size of the viewport, in pixels: the board's if it fits, else all the space there is. */
export function viewportOf(scale: number, room: Room): { width: number; height: number } {
  const side = room.square * scale;
  return { width: Math.min(room.files * side, room.width), height: Math.min(room.ranks * side, room.height) };
}

/** Return the nearest view that shows nothing outside the board. */
export function within(view: View, room: Room): View {
  const scale = Math.min(Math.max(view.scale, 1), Math.max(LARGEST_PX / room.square, 1));
  const { width, height } = viewportOf(scale, room);
  const side = room.square * scale;
  const limit = (value: number, least: number) => Math.min(Math.max(value, least), 0);
  return { scale, x: limit(view.x, width - room.files * side), y: limit(view.y, height - room.ranks * side) };
}

/** Return the view at another scale in which a point of the viewport shows the same point of the board. */
export function zoom(view: View, wanted: number, around: Point, room: Room): View {
  const { scale } = within({ ...view, scale: wanted }, room);
  const keep = (at: number, offset: number) => at - ((at - offset) / view.scale) * scale;
  return within({ scale, x: keep(around.x, view.x), y: keep(around.y, view.y) }, room);
}

/** Return the view with squares of a comfortable size and a point of the board, in squares, in the middle. */
export function closer(at: Point, room: Room): View {
  const scale = Math.max(COMFORTABLE_PX, Math.round(room.square * 1.5)) / room.square;
  const { width, height } = viewportOf(scale, room);
  const side = room.square * scale;
  return within({ scale, x: width / 2 - at.x * side, y: height / 2 - at.y * side }, room);
}

/** Return the first view of a board: the whole, or if squares are too small the player's own side, enlarged. */
export function firstView(room: Room): View {
  return room.square < TOO_SMALL_PX ? closer({ x: room.files / 2, y: room.ranks }, room) : WHOLE;
}

/** Return the view, moved as little as needed, that shows the square at a column and row. */
export function reveal(view: View, corner: Point, room: Room): View {
  const side = room.square * view.scale;
  const { width, height } = viewportOf(view.scale, room);
  const move = (at: number, offset: number, size: number) =>
    Math.min(Math.max(offset, -at * side), size - (at + 1) * side);
  return within({ ...view, x: move(corner.x, view.x, width), y: move(corner.y, view.y, height) }, room);
}
