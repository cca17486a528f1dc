// Fingers, pens and mice: what their movements mean. Nothing here reads the layout while a pointer moves.

import { canLift, choose, goTo, inspect, isIn, lift, put, putDown, targets } from "./hand.ts";
import type { Renderer } from "./render.ts";
import { type Point, snap, squareAt } from "./squares.ts";
import type { Change, Hand, State } from "./state.ts";
import type { Square } from "./types.ts";
import { NEEDS_LOUPE, type Room, type View, within, zoom } from "./view.ts";

export interface Pointed {
  state(): State;
  view(): View;
  room(): Room;
  act(change: (state: State) => Change): void;
  look(view: View): void;
}

interface Gesture {
  pointer: number;
  start: Point;
  now: Point;
  /** The window's place on the page when the gesture began. */
  window: DOMRect;
  touch: boolean;
  /** What would be dragged, if anything. */
  hand: Hand | null;
  /** Whether it was in hand before. */
  again: boolean;
  moved: boolean;
  /** The view when the board began to be moved. */
  panning: View | null;
  timer: number;
}

interface Pinch {
  distance: number;
  middle: Point;
  view: View;
  window: DOMRect;
}

interface Drawing {
  from: Square;
  window: DOMRect;
}

const LONG_PRESS = 450;
const SLOP = { mouse: 4, touch: 9 };
/** How far beside a square, in squares, a near miss may be. */
const NEAR = { tap: 0.5, drop: 0.3 };

export function listenToPointers(renderer: Renderer, board: Pointed): () => void {
  const { root, viewport, ghost, loupe } = renderer;
  const leaving = new AbortController();
  const options = { signal: leaving.signal };
  const fingers = new Map<number, Point>();
  let gesture: Gesture | null = null;
  let pinch: Pinch | null = null;
  let drawing: Drawing | null = null;
  let hovered: Point | null = null;
  let asking = false;

  const pointOf = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });

  /** A place on the page as columns and rows of the board. */
  function onBoard(at: Point, window: DOMRect): Point {
    const { scale, x, y } = board.view();
    const side = board.room().square * scale;
    return { x: (at.x - window.left - x) / side, y: (at.y - window.top - y) / side };
  }

  function inWindow(at: Point, window: DOMRect): boolean {
    return at.x >= window.left && at.x < window.right && at.y >= window.top && at.y < window.bottom;
  }

  function down(event: PointerEvent): void {
    const state = board.state();
    if (state.still) return;
    const trayButton = (event.target as Element).closest<HTMLElement>("[data-tray]");
    const inBoard = viewport.contains(event.target as Node);
    if (!trayButton && !inBoard) return;
    const touch = event.pointerType !== "mouse";
    const window = viewport.getBoundingClientRect();
    (event.target as Element).setPointerCapture(event.pointerId);
    if (event.button === 2 && inBoard) {
      const from = squareAt(onBoard(pointOf(event), window), state);
      drawing = from === null ? null : { from, window };
      return;
    }
    if (event.button !== 0) return;
    if (touch) fingers.set(event.pointerId, pointOf(event));
    if (fingers.size === 2) beginPinch(window);
    if (gesture || pinch) return;
    const tray = trayButton?.dataset.tray;
    const square = squareAt(onBoard(pointOf(event), window), state);
    let hand: Hand | null = null;
    if (tray) hand = { tray, group: Number(trayButton?.dataset.group) };
    else if (square && canLift(state, square) && !state.asking && !targets(state).includes(square)) hand = { square };
    const again = tray
      ? state.hand !== null && "tray" in state.hand && state.hand.tray === tray
      : isIn(state.hand, square ?? "");
    const timer = self.setTimeout(longPress, LONG_PRESS);
    gesture = {
      pointer: event.pointerId,
      start: pointOf(event),
      now: pointOf(event),
      window,
      touch,
      hand,
      again,
      moved: false,
      panning: null,
      timer,
    };
    if (hand && !again) board.act((now) => lift(now, hand));
    if (square && inBoard) {
      board.act((now) => [{ ...now, focus: square }]);
      renderer.grid.cell(square)?.focus({ preventScroll: true });
    }
  }

  function longPress(): void {
    if (!gesture?.touch) return;
    const square = squareAt(onBoard(gesture.now, gesture.window), board.state());
    gesture = null;
    if (square) board.act((state) => inspect(state, square));
  }

  function small(): boolean {
    return board.room().square * board.view().scale < NEEDS_LOUPE;
  }

  function move(event: PointerEvent): void {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, pointOf(event));
    if (drawing) renderer.aim(squareAt(onBoard(pointOf(event), drawing.window), board.state()), board.state());
    if (pinch) movePinch(pinch);
    else if (!gesture) hover(event);
    if (gesture?.pointer !== event.pointerId) return;
    gesture.now = pointOf(event);
    if (!gesture.moved) begin(gesture);
    if (gesture.panning) pan(gesture, gesture.panning);
    else if (gesture.moved && gesture.hand) drag(gesture);
    else if (gesture.moved && gesture.touch && small()) magnify(gesture);
  }

  /** Once a pointer has moved far enough, it drags a piece or the board. */
  function begin(one: Gesture): void {
    const distance = Math.hypot(one.now.x - one.start.x, one.now.y - one.start.y);
    if (distance < (one.touch ? SLOP.touch : SLOP.mouse)) return;
    one.moved = true;
    clearTimeout(one.timer);
    if (one.hand === null) {
      if (board.view().scale > 1) one.panning = board.view();
      return;
    }
    board.act((state) => [{ ...state, hand: one.hand, dragging: true }]);
    renderer.pickUp(board.state(), board.room().square * board.view().scale, one.touch);
  }

  function pan(one: Gesture, from: View): void {
    const moved = { ...from, x: from.x + one.now.x - one.start.x, y: from.y + one.now.y - one.start.y };
    board.look(within(moved, board.room()));
  }

  function drag(one: Gesture): void {
    renderer.carry(one.now);
    const state = board.state();
    const at = onBoard(one.now, one.window);
    const target = snap(at, targets(state), state, NEAR.drop);
    renderer.aim(target, state);
    if (one.touch && small()) magnify(one);
    if (board.view().scale > 1) push(one);
  }

  /** A piece carried to the window's edge moves an enlarged board. */
  function push({ now, window }: Gesture): void {
    const way = (at: number, low: number, high: number) => (at < low + 24 ? 8 : at > high - 24 ? -8 : 0);
    const { scale, x, y } = board.view();
    const moved = {
      scale,
      x: x + way(now.x, window.left, window.right),
      y: y + way(now.y, window.top, window.bottom),
    };
    board.look(within(moved, board.room()));
  }

  function magnify(one: Gesture): void {
    const { window } = one;
    const state = board.state();
    const at = onBoard(one.now, window);
    loupe.show(at, { x: one.now.x - window.left, y: one.now.y - window.top }, state);
    loupe.aim(snap(at, targets(state), state, NEAR.drop), state);
  }

  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (pinch && fingers.size < 2) pinch = null;
    if (drawing && event.button === 2) draw(event, drawing);
    if (gesture?.pointer !== event.pointerId) return;
    const one = gesture;
    end();
    if (one.moved && one.hand) drop(one);
    // A finger that has slid under the magnifier chooses where it is lifted.
    else if (!one.moved || (one.touch && !one.panning)) tap(one);
  }

  function drop(one: Gesture): void {
    const at = onBoard(one.now, one.window);
    const over = inWindow(one.now, one.window);
    board.act((state) => {
      const target = over ? snap(at, targets(state), state, NEAR.drop) : null;
      const square = squareAt(at, state);
      // Back on its square it stays in hand, and the target is tapped.
      if (square && isIn(one.hand, square)) return [{ ...state, dragging: false }];
      if (target) return goTo(state, target);
      if (state.setup && !over) return put(state, null);
      return [putDown(state)];
    });
  }

  function tap(one: Gesture): void {
    if (one.hand) {
      if (one.again) board.act((state) => [putDown(state)]);
      return;
    }
    const at = onBoard(one.now, one.window);
    board.act((state) => {
      const square = squareAt(at, state);
      if (!square) return [state];
      const meant = state.asking ? null : snap(at, targets(state), state, NEAR.tap);
      return meant ? goTo(state, meant) : choose(state, square);
    });
  }

  function end(): void {
    if (gesture) clearTimeout(gesture.timer);
    gesture = null;
    ghost.hidden = true;
    loupe.hide();
    renderer.aim(null, board.state());
  }

  function cancel(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    pinch = null;
    drawing = null;
    if (gesture?.pointer !== event.pointerId) return;
    end();
    board.act((state) => [putDown(state)]);
  }

  function beginPinch(window: DOMRect): void {
    if (gesture?.hand) board.act((state) => [putDown(state)]);
    end();
    pinch = { ...spread(), view: board.view(), window };
  }

  function spread(): { distance: number; middle: Point } {
    const [a, b] = [...fingers.values()] as [Point, Point];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
  }

  function movePinch(pinch: Pinch): void {
    if (fingers.size < 2) return;
    const { distance, middle } = spread();
    const { window, middle: begun } = pinch;
    const around = { x: begun.x - window.left, y: begun.y - window.top };
    const { scale, x, y } = zoom(pinch.view, (pinch.view.scale * distance) / pinch.distance, around, board.room());
    board.look(within({ scale, x: x + middle.x - begun.x, y: y + middle.y - begun.y }, board.room()));
  }

  function draw(event: PointerEvent, begun: Drawing): void {
    drawing = null;
    renderer.aim(null, board.state());
    const to = squareAt(onBoard(pointOf(event), begun.window), board.state());
    if (to === null) return;
    const colour = event.shiftKey ? "vermilion" : event.altKey ? "gold" : "lapis";
    board.act((state) => {
      const others = state.drawn.filter((one) => one.from !== begun.from || one.to !== to);
      const drawn =
        others.length < state.drawn.length ? others : [...others, { from: begun.from, to, colour } as const];
      return [{ ...state, drawn }];
    });
  }

  function hover(event: PointerEvent): void {
    hovered = event.pointerType === "mouse" && viewport.contains(event.target as Node) ? pointOf(event) : null;
    if (asking && hovered) ask(hovered);
  }

  function ask(at: Point): void {
    const square = squareAt(onBoard(at, viewport.getBoundingClientRect()), board.state());
    board.act((state) => inspect(state, square));
  }

  function keyDown(event: KeyboardEvent): void {
    if (!hovered || (event.key !== "Alt" && event.key !== "?")) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (asking) return;
    asking = true;
    ask(hovered);
  }

  function keyUp(): void {
    if (!asking) return;
    asking = false;
    board.act((state) => inspect(state, null));
  }

  root.addEventListener("pointerdown", down, options);
  root.addEventListener("pointermove", move, options);
  root.addEventListener("pointerup", up, options);
  root.addEventListener("pointercancel", cancel, options);
  root.addEventListener(
    "pointerleave",
    () => {
      hovered = null;
    },
    options,
  );
  // The focus is on the squares, which the pointer does not touch.
  viewport.addEventListener("mousedown", (event) => event.preventDefault(), options);
  viewport.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  window.addEventListener("keydown", keyDown, { ...options, capture: true });
  window.addEventListener("keyup", keyUp, options);
  return () => {
    end();
    leaving.abort();
  };
}
