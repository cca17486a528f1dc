// The geometry of squares. They have names ("g7"); files and ranks count from 0. Points are in units of squares, from
// the top left corner of the board as it is shown.

import type { Side, Square } from "./types.ts";

export interface Size {
  files: number;
  ranks: number;
}

/** The size of a board, and the side at the bottom. */
export interface Facing extends Size {
  orientation: Side;
}

export interface Point {
  x: number;
  y: number;
}

export function squareName(file: number, rank: number): Square {
  return String.fromCharCode(97 + file) + (rank + 1);
}

export function fileOf(square: Square): number {
  return square.charCodeAt(0) - 97;
}

export function rankOf(square: Square): number {
  return Number(square.slice(1)) - 1;
}

export function isSquare(text: string, size: Size): boolean {
  return /^[a-p]\d{1,2}$/.test(text) && fileOf(text) < size.files && text === squareName(fileOf(text), rankOf(text))
    ? rankOf(text) >= 0 && rankOf(text) < size.ranks
    : false;
}

export function isLight(square: Square): boolean {
  return (fileOf(square) + rankOf(square)) % 2 === 1;
}

/** Return the column and row of a square's top left corner. */
export function cornerOf(square: Square, facing: Facing): Point {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return facing.orientation === "white"
    ? { x: file, y: facing.ranks - 1 - rank }
    : { x: facing.files - 1 - file, y: rank };
}

export function centreOf(square: Square, facing: Facing): Point {
  const { x, y } = cornerOf(square, facing);
  return { x: x + 0.5, y: y + 0.5 };
}

/** Return the square at a column and row, `null` off the board. */
export function squareAt(point: Point, facing: Facing): Square | null {
  const [column, row] = [Math.floor(point.x), Math.floor(point.y)];
  if (column < 0 || row < 0 || column >= facing.files || row >= facing.ranks) return null;
  return facing.orientation === "white"
    ? squareName(column, facing.ranks - 1 - row)
    : squareName(facing.files - 1 - column, row);
}

/** Return all squares, row by row as they are shown. */
export function rowsOf(facing: Facing): Square[][] {
  return Array.from({ length: facing.ranks }, (_, y) =>
    Array.from({ length: facing.files }, (_, x) => squareAt({ x, y }, facing) as Square),
  );
}

/** Return how far a point is outside a square; 0 inside. */
export function distanceTo(square: Square, point: Point, facing: Facing): number {
  const centre = centreOf(square, facing);
  const outside = (a: number, b: number) => Math.max(Math.abs(a - b) - 0.5, 0);
  return Math.hypot(outside(point.x, centre.x), outside(point.y, centre.y));
}

/** Return the target at a point, or the nearest one if the point misses it by little. */
export function snap(point: Point, targets: Iterable<Square>, facing: Facing, reach: number): Square | null {
  let found: Square | null = null;
  let best = reach;
  for (const square of targets) {
    const distance = distanceTo(square, point, facing);
    if (distance < best) [found, best] = [square, distance];
  }
  return found;
}
