// Which part of the board is seen: how much it is enlarged, and how far it is moved within its window, in pixels.

import type { Point } from "./squares.ts";

export interface View {
  scale: number;
  x: number;
  y: number;
}

/** Where the board may be: its squares when the whole of it is seen, and the most that its window can take up. */
export interface Room {
  files: number;
  ranks: number;
  /** Pixels of a square at scale 1. */
  square: number;
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** Below this many pixels a square is too small for a finger, and the board begins enlarged. */
const TOO_SMALL = 24;
/** What a square then measures. */
const COMFORTABLE = 40;
/** Below this many pixels a magnifier helps. */
export const NEEDS_LOUPE = 36;
const LARGEST = 120;

/** The size of the window: the board's if it fits, else all the room there is. */
export function windowOf(scale: number, room: Room): { width: number; height: number } {
  const side = room.square * scale;
  return { width: Math.min(room.files * side, room.width), height: Math.min(room.ranks * side, room.height) };
}

/** The nearest view that shows nothing beyond the board. */
export function within(view: View, room: Room): View {
  const scale = Math.min(Math.max(view.scale, 1), Math.max(LARGEST / room.square, 1));
  const { width, height } = windowOf(scale, room);
  const side = room.square * scale;
  const limit = (value: number, least: number) => Math.min(Math.max(value, least), 0);
  return { scale, x: limit(view.x, width - room.files * side), y: limit(view.y, height - room.ranks * side) };
}

/** Make the board larger or smaller around a point of the window that stays where it is. */
export function zoom(view: View, wanted: number, around: Point, room: Room): View {
  const { scale } = within({ ...view, scale: wanted }, room);
  const keep = (at: number, offset: number) => at - ((at - offset) / view.scale) * scale;
  return within({ scale, x: keep(around.x, view.x), y: keep(around.y, view.y) }, room);
}

/** The view with squares of a comfortable size and a point of the board, in squares, in the middle. */
export function closer(at: Point, room: Room): View {
  const scale = Math.max(COMFORTABLE, Math.round(room.square * 1.5)) / room.square;
  const { width, height } = windowOf(scale, room);
  const side = room.square * scale;
  return within({ scale, x: width / 2 - at.x * side, y: height / 2 - at.y * side }, room);
}

/** How a board is seen at first: enlarged and from its own side if its squares are too small, else whole. */
export function firstView(room: Room): View {
  return room.square < TOO_SMALL ? closer({ x: room.files / 2, y: room.ranks }, room) : WHOLE;
}

/** Move the board as little as needed to have the square at a column and row in the window. */
export function reveal(view: View, corner: Point, room: Room): View {
  const side = room.square * view.scale;
  const { width, height } = windowOf(view.scale, room);
  const move = (at: number, offset: number, size: number) =>
    Math.min(Math.max(offset, -at * side), size - (at + 1) * side);
  return within({ ...view, x: move(corner.x, view.x, width), y: move(corner.y, view.y, height) }, room);
}
