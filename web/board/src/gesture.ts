// One pointer that is down: a tap, a piece being dragged, or the enlarged board being moved.

import { choose, goTo, isIn, keep, put, putDown, targets } from "./hand.ts";
import type { Renderer } from "./render.ts";
import { type Point, snap, squareAt } from "./squares.ts";
import type { Change, Hand, State } from "./state.ts";
import { NEEDS_LOUPE_PX, type View, within } from "./view.ts";
import type { Viewport } from "./viewport.ts";

/** What gestures read and change. */
export interface GestureBoard extends Pick<Viewport, "view" | "room" | "look"> {
  state(): State;
  act(change: (state: State) => Change): void;
}

export interface Gesture {
  pointer: number;
  start: Point;
  now: Point;
  /** The rectangle of the board's viewport on the page when the gesture began. */
  frame: DOMRect;
  touch: boolean;
  /** The piece that would be dragged, if any. */
  hand: Hand | null;
  /** Whether it was in hand before. */
  again: boolean;
  moved: boolean;
  /** The view when the board began to be moved. */
  panning: View | null;
  timer: number;
}

/** How far a pointer moves before it drags. */
const SLOP_PX = { mouse: 4, touch: 9 };
/** A piece dragged this close to the edge of the viewport moves an enlarged board. */
const EDGE_PX = 24;
/** How far it moves with each event. */
const EDGE_STEP_PX = 8;
/** How far beside a square, in squares, a near miss may be. */
const NEAR = { tap: 0.5, drop: 0.3 };

/** Return the column and row of the board at a point of the page. */
export function onBoard(board: GestureBoard, at: Point, frame: DOMRect): Point {
  const { scale, x, y } = board.view();
  const side = board.room().square * scale;
  return { x: (at.x - frame.left - x) / side, y: (at.y - frame.top - y) / side };
}

/** Return `follow`, to be called when the pointer of a gesture moves, and `finish`, for when it is lifted. */
export function makeGestures({ ghost, loupe, aim }: Renderer, board: GestureBoard) {
  function small(): boolean {
    return board.room().square * board.view().scale < NEEDS_LOUPE_PX;
  }

  function follow(gesture: Gesture): void {
    if (!gesture.moved) begin(gesture);
    if (gesture.panning) pan(gesture, gesture.panning);
    else if (gesture.moved && gesture.hand) drag(gesture);
    else if (gesture.moved && gesture.touch && small()) magnify(gesture);
  }

  /** Begin to drag a piece or the board once the pointer has moved far enough. */
  function begin(gesture: Gesture): void {
    const distance = Math.hypot(gesture.now.x - gesture.start.x, gesture.now.y - gesture.start.y);
    if (distance < (gesture.touch ? SLOP_PX.touch : SLOP_PX.mouse)) return;
    gesture.moved = true;
    clearTimeout(gesture.timer);
    if (gesture.hand === null) {
      if (board.view().scale > 1) gesture.panning = board.view();
      return;
    }
    board.act((state) => [{ ...state, hand: gesture.hand, dragging: true }]);
    ghost.pickUp(board.state(), board.room().square * board.view().scale, gesture.touch);
  }

  function pan(gesture: Gesture, from: View): void {
    const moved = { ...from, x: from.x + gesture.now.x - gesture.start.x, y: from.y + gesture.now.y - gesture.start.y };
    board.look(within(moved, board.room()));
  }

  function drag(gesture: Gesture): void {
    ghost.carry(gesture.now);
    const state = board.state();
    const at = onBoard(board, gesture.now, gesture.frame);
    const target = snap(at, targets(state), state, NEAR.drop);
    aim(target, state);
    if (gesture.touch && small()) magnify(gesture);
    if (board.view().scale > 1) push(gesture);
  }

  function push({ now, frame }: Gesture): void {
    const step = (at: number, low: number, high: number) =>
      at < low + EDGE_PX ? EDGE_STEP_PX : at > high - EDGE_PX ? -EDGE_STEP_PX : 0;
    const { scale, x, y } = board.view();
    const moved = {
      scale,
      x: x + step(now.x, frame.left, frame.right),
      y: y + step(now.y, frame.top, frame.bottom),
    };
    board.look(within(moved, board.room()));
  }

  function magnify(gesture: Gesture): void {
    const { frame } = gesture;
    const state = board.state();
    const at = onBoard(board, gesture.now, frame);
    loupe.show(at, { x: gesture.now.x - frame.left, y: gesture.now.y - frame.top }, state);
    loupe.aim(snap(at, targets(state), state, NEAR.drop), state);
  }

  function finish(gesture: Gesture): void {
    if (gesture.moved && gesture.hand) drop(gesture);
    // A finger that has slid under the magnifier chooses the square where it is lifted.
    else if (!gesture.moved || (gesture.touch && !gesture.panning)) tap(gesture);
  }

  function drop(gesture: Gesture): void {
    const at = onBoard(board, gesture.now, gesture.frame);
    const over = isInside(gesture.now, gesture.frame);
    board.act((state) => {
      const target = over ? snap(at, targets(state), state, NEAR.drop) : null;
      const square = squareAt(at, state);
      // Dropped on its own square, it stays in hand, and the target is tapped next.
      if (square && isIn(gesture.hand, square)) return [{ ...state, dragging: false }];
      if (target) return goTo(state, target);
      if (state.setup && !over) return put(state, null);
      const [next, ...why]: Change = state.setup ? keep(state) : [state];
      return [putDown(next), ...why];
    });
  }

  function tap(gesture: Gesture): void {
    if (gesture.hand) {
      if (gesture.again) board.act((state) => [putDown(state)]);
      return;
    }
    const at = onBoard(board, gesture.now, gesture.frame);
    board.act((state) => {
      const square = squareAt(at, state);
      if (!square) return [state];
      const target = state.asks ? null : snap(at, targets(state), state, NEAR.tap);
      return target ? goTo(state, target) : choose(state, square);
    });
  }

  return { follow, finish };
}

function isInside(at: Point, frame: DOMRect): boolean {
  return at.x >= frame.left && at.x < frame.right && at.y >= frame.top && at.y < frame.bottom;
}
