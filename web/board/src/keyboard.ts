// The meaning of keys on the grid of squares.

import { choose, inspect, letGo, makeMove } from "./hand.ts";
import { cornerOf, type Facing, squareAt } from "./squares.ts";
import type { Change, State } from "./state.ts";
import type { Square } from "./types.ts";
import { enter, withTyped } from "./typing.ts";

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-16, 0],
  End: [16, 0],
  PageUp: [0, -16],
  PageDown: [0, 16],
};

/** Return the square that a key leads to, as the board is shown; `null` for other keys. It stops at the edge. */
export function step(focus: Square, key: string, facing: Facing): Square | null {
  const by = STEPS[key];
  if (!by) return null;
  const { x, y } = cornerOf(focus, facing);
  const within = (value: number, size: number) => Math.min(Math.max(value, 0), size - 1);
  return squareAt({ x: within(x + by[0], facing.files), y: within(y + by[1], facing.ranks) }, facing);
}

/** Return the change that a key makes; `null` if the board does not use the key. */
export function press(state: State, key: string): Change | null {
  const square = step(state.focus, key, state);
  if (square) return [{ ...state, focus: square }];
  if (key === "Enter" && state.typed) return enter(state, state.typed);
  if (key === "Enter" && state.held) return makeMove(state, state.held);
  if (key === "Enter" || key === " ") return choose(state, state.focus);
  if (key === "Escape") return state.typed ? [withTyped(state, "")] : letGo(state);
  if (key === "Backspace" && state.typed) return [withTyped(state, state.typed.slice(0, -1))];
  if (key === "?") return inspect(state, state.inspected?.square === state.focus ? null : state.focus);
  // Twelve characters are enough for any move.
  if (/^[A-Za-z0-9=x'!+#-]$/.test(key)) return [withTyped(state, (state.typed + key).slice(0, 12))];
  return null;
}
