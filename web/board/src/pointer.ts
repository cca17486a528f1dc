// Fingers, pens and mice on a board. Nothing here reads the layout while a piece is dragged.

import { type Gesture, type GestureBoard, makeGestures, onBoard } from "./gesture.ts";
import { canLift, inspect, isIn, lift, putDown, targets } from "./hand.ts";
import { shownPieces } from "./moves.ts";
import type { Renderer } from "./render.ts";
import type { Arrow } from "./settings.ts";
import { type Point, squareAt } from "./squares.ts";
import { type Change, type Hand, pieceTypeOf, type State } from "./state.ts";
import type { Square } from "./types.ts";
import { type Room, type View, within, zoom } from "./view.ts";

interface Pinch {
  distance: number;
  middle: Point;
  view: View;
  frame: DOMRect;
}

interface Drawing {
  from: Square;
  frame: DOMRect;
}

const LONG_PRESS_MS = 450;

/** Listen to a board's pointers; returns a function that stops it. */
export function listenToPointers(renderer: Renderer, board: GestureBoard): () => void {
  const { roots, viewport, ghost, loupe } = renderer;
  const stopping = new AbortController();
  const options = { signal: stopping.signal };
  const fingers = new Map<number, Point>();
  const { follow, finish } = makeGestures(renderer, board);
  const hover = listenToHover(renderer, board, options);
  let gesture: Gesture | null = null;
  let pinch: Pinch | null = null;
  let drawing: Drawing | null = null;

  function down(event: PointerEvent): void {
    const state = board.state();
    if (state.still) return;
    const tray = (event.target as Element).closest<HTMLElement>("[data-tray]");
    const inBoard = viewport.contains(event.target as Node);
    if (!tray && !inBoard) return;
    if (inBoard && state.playback !== null) {
      board.act((now) => [{ ...now, playback: null }]);
      return;
    }
    const touch = event.pointerType !== "mouse";
    const frame = viewport.getBoundingClientRect();
    const { pointerId: pointer } = event;
    const at = pointOf(event);
    const square = squareAt(onBoard(board, at, frame), state);
    (event.target as Element).setPointerCapture(pointer);
    if ((event.button === 2 || (event.button === 0 && state.drawing)) && inBoard) {
      drawing = square === null ? null : { from: square, frame };
      return;
    }
    if (event.button !== 0) return;
    if (touch) fingers.set(pointer, at);
    if (fingers.size === 2) beginPinch(frame);
    if (gesture || pinch) return;
    const [hand, again] = tray ? handFromTray(state, tray.dataset) : handFromSquare(state, square);
    const timer = self.setTimeout(longPress, LONG_PRESS_MS);
    gesture = { pointer, start: at, now: at, frame, touch, hand, again, moved: false, panning: null, timer };
    if (hand && !again) board.act((now) => lift(now, hand));
    if (square && inBoard) {
      board.act((now) => [{ ...now, focus: square }]);
      renderer.grid.cell(square)?.focus({ preventScroll: true });
    }
  }

  function longPress(): void {
    if (!gesture?.touch) return;
    const square = squareAt(onBoard(board, gesture.now, gesture.frame), board.state());
    gesture = null;
    if (square) board.act((state) => inspect(state, square));
  }

  function move(event: PointerEvent): void {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, pointOf(event));
    if (drawing) renderer.aim(squareAt(onBoard(board, pointOf(event), drawing.frame), board.state()), board.state());
    if (pinch && fingers.size >= 2) board.look(pinched(pinch, spread(fingers), board.room()));
    else if (!pinch && !gesture) hover(event);
    if (gesture?.pointer !== event.pointerId) return;
    gesture.now = pointOf(event);
    follow(gesture);
  }

  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (pinch && fingers.size < 2) pinch = null;
    if (drawing) draw(event, drawing);
    if (gesture?.pointer !== event.pointerId) return;
    const ended = gesture;
    end();
    finish(ended);
  }

  function end(): void {
    if (gesture) clearTimeout(gesture.timer);
    gesture = null;
    ghost.hide();
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

  function beginPinch(frame: DOMRect): void {
    if (gesture?.hand) board.act((state) => [putDown(state)]);
    end();
    pinch = { ...spread(fingers), view: board.view(), frame };
  }

  function draw(event: PointerEvent, { from, frame }: Drawing): void {
    drawing = null;
    renderer.aim(null, board.state());
    const to = squareAt(onBoard(board, pointOf(event), frame), board.state());
    const chosen = board.state().drawing ?? "lapis";
    const colour = event.shiftKey ? "vermilion" : event.altKey ? "gold" : chosen;
    if (to !== null) board.act((state) => toggleArrow(state, { from, to, colour }));
  }

  for (const root of roots) {
    root.addEventListener("pointerdown", down, options);
    root.addEventListener("pointermove", move, options);
    root.addEventListener("pointerup", up, options);
    root.addEventListener("pointercancel", cancel, options);
  }
  // Without this the browser would take the focus away from the square that `down` has focused.
  viewport.addEventListener("mousedown", (event) => event.preventDefault(), options);
  viewport.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  return () => {
    end();
    stopping.abort();
  };
}

/** Inspect the piece under the mouse while Alt or "?" is held down. Returns the listener for a mouse that hovers. */
function listenToHover({ root, viewport }: Renderer, board: GestureBoard, options: { signal: AbortSignal }) {
  let hovered: Point | null = null;
  let inspecting = false;

  function hover(event: PointerEvent): void {
    hovered = event.pointerType === "mouse" && viewport.contains(event.target as Node) ? pointOf(event) : null;
    name();
    if (inspecting && hovered) inspectAt(hovered);
  }

  /** Show the name of the piece under the mouse as a tooltip. */
  function name(): void {
    const state = board.state();
    const square = hovered && !state.still && squareUnder(hovered);
    const piece = square && shownPieces(state).find((piece) => piece.square === square);
    const title = piece ? pieceTypeOf(state, piece.letter).name : "";
    if (viewport.title !== title) viewport.title = title;
  }

  function squareUnder(at: Point): Square | null {
    return squareAt(onBoard(board, at, viewport.getBoundingClientRect()), board.state());
  }

  function inspectAt(at: Point): void {
    board.act((state) => inspect(state, squareUnder(at)));
  }

  function keyDown(event: KeyboardEvent): void {
    if (!hovered || (event.key !== "Alt" && event.key !== "?")) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (inspecting) return;
    inspecting = true;
    inspectAt(hovered);
  }

  function keyUp(): void {
    if (!inspecting) return;
    inspecting = false;
    board.act((state) => inspect(state, null));
  }

  function leave(): void {
    hovered = null;
    name();
  }

  root.addEventListener("pointerleave", leave, options);
  window.addEventListener("keydown", keyDown, { ...options, capture: true });
  window.addEventListener("keyup", keyUp, options);
  return hover;
}

function pointOf(event: PointerEvent): Point {
  return { x: event.clientX, y: event.clientY };
}

/** Return the piece of the tray that was pressed, and whether it was in hand before. */
function handFromTray({ hand }: State, { tray = "", group }: DOMStringMap): [Hand, boolean] {
  return [{ tray, group: Number(group) }, hand !== null && "tray" in hand && hand.tray === tray];
}

/** Return the piece on a square if it can be dragged, and whether it was in hand before. */
function handFromSquare(state: State, square: Square | null): [Hand | null, boolean] {
  const draggable = square && canLift(state, square) && !state.asks && !targets(state).includes(square);
  return [draggable ? { square } : null, isIn(state.hand, square ?? "")];
}

function spread(fingers: ReadonlyMap<number, Point>): { distance: number; middle: Point } {
  const [a, b] = [...fingers.values()] as [Point, Point];
  return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
}

/** Return the view that keeps the same squares under two fingers. */
function pinched(pinch: Pinch, { distance, middle }: ReturnType<typeof spread>, room: Room): View {
  const { frame, middle: begun } = pinch;
  const around = { x: begun.x - frame.left, y: begun.y - frame.top };
  const { scale, x, y } = zoom(pinch.view, (pinch.view.scale * distance) / pinch.distance, around, room);
  return within({ scale, x: x + middle.x - begun.x, y: y + middle.y - begun.y }, room);
}

/** Draw an arrow, or remove the one between the same squares. */
function toggleArrow(state: State, arrow: Arrow): Change {
  if (state.reportsArrows) return [state, { what: "arrow", arrow }];
  const others = state.drawn.filter(({ from, to }) => from !== arrow.from || to !== arrow.to);
  return [{ ...state, drawn: others.length < state.drawn.length ? others : [...others, arrow] }];
}
