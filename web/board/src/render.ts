// Builds the board's elements and draws a state into them.

import type { Press } from "./buttons.ts";
import { make, makeSvg, resize, setAttribute, show } from "./dom.ts";
import { type Loupe, makeLoupe } from "./loupe.ts";
import { type Bar, makeBar, type Surroundings } from "./render-bar.ts";
import { capturedLayer } from "./render-captured.ts";
import { type Ghost, makeGhost } from "./render-ghost.ts";
import { type GridLayer, gridLayer } from "./render-grid.ts";
import { marksLayers } from "./render-marks.ts";
import { makePicker, type Picker } from "./render-picker.ts";
import { piecesLayer } from "./render-pieces.ts";
import { rulersLayer } from "./render-rulers.ts";
import { cornerOf } from "./squares.ts";
import type { State } from "./state.ts";
import { fill } from "./texts.ts";
import type { LegalMove, Square } from "./types.ts";
import { type Room, type View, viewportOf } from "./view.ts";

/** Width and height of the margin with coordinates. */
const MARGIN_PX = 20;
/** On narrower boards coordinates stand in the squares, and there is no margin. */
const NARROW_PX = 480;

/** Elements of the host for what otherwise stands above and below the squares. They cannot be changed later. */
export interface Docks {
  /** For the status line, the buttons that depend on the position, and the tray of the setup phase. */
  bar: HTMLElement;
  /** For the buttons that are always there: zoom and "how does this piece move". */
  tools: HTMLElement;
  /** For the pieces captured by the side at the top. */
  above: HTMLElement;
  /** For the pieces captured by the side at the bottom. */
  below: HTMLElement;
}

export interface Renderer {
  /** The elements that listen: the board, and its parts in docks of the host. */
  roots: HTMLElement[];
  root: HTMLElement;
  /** The element that shows a part of the board, or all of it. */
  viewport: HTMLElement;
  barElement: HTMLElement;
  grid: GridLayer;
  bar: Bar;
  picker: Picker;
  loupe: Loupe;
  ghost: Ghost;
  draw(state: State, around: Surroundings): void;
  /** Fit the squares into the element. */
  measure(state: State): Room;
  look(view: View, room: Room): void;
  /** Frame the square that a dragged piece would go to. */
  aim(square: Square | null, state: State): void;
  say(text: string): void;
}

export function makeRenderer(
  host: HTMLElement,
  docks: Partial<Docks>,
  press: (what: Press) => void,
  pick: (move: LegalMove | null) => void,
): Renderer {
  const root = make("div", "acedrex-board", host);
  const roots = [root];
  const docked = (dock: HTMLElement | undefined) => {
    if (!dock) return root;
    const place = make("div", "acedrex-board docked", dock);
    roots.push(place);
    return place;
  };
  const top = make("div", "captured", docked(docks.above));
  const board = make("div", "frame", root);
  const ranks = make("div", "ruler ranks", board);
  const viewport = make("div", "viewport", board);
  const files = make("div", "ruler files", board);
  const stage = make("div", "stage", viewport);
  const squares = makeSvg("squares", stage);
  const under = makeSvg("under", stage);
  const cells = make("div", "grid", stage);
  const men = make("div", "pieces", stage);
  const over = makeSvg("over", stage);
  const aimed = make("div", "aim", stage);
  aimed.hidden = true;
  const drawMarks = marksLayers(squares, under, over);
  const drawPieces = piecesLayer(men);
  const grid = gridLayer(cells);
  const picker = makePicker(board, pick);
  const loupe = makeLoupe(board, [squares, under, men, over]);
  const bottom = make("div", "captured", docked(docks.below));
  const barElement = make("div", "bar", docked(docks.bar));
  const bar = makeBar(barElement, docks.tools && docked(docks.tools), press);
  const ghost = makeGhost(root);
  const live = make("div", "live", root);
  live.setAttribute("aria-live", "polite");
  const rulers = rulersLayer(files, ranks, viewport, cells);
  const drawCaptured = capturedLayer(top, bottom);
  let aimedAt: Square | null = null;
  let narrow = false;

  function draw(state: State, around: Surroundings): void {
    root.classList.toggle("still", state.still);
    root.classList.toggle("animated", state.animation);
    root.dataset.coordinates = coordinates(state);
    board.style.setProperty("--files", String(state.files));
    board.style.setProperty("--ranks", String(state.ranks));
    drawMarks(state);
    drawPieces(state);
    if (!state.still) {
      setAttribute(cells, "role", "grid");
      grid.draw(state);
      bar.draw(state, around);
      picker.draw(state);
    } else {
      root.setAttribute("role", "img");
      root.setAttribute("aria-label", fill(state.texts.board, { files: state.files, ranks: state.ranks }));
    }
    show(barElement, !state.still);
    rulers.draw(state, coordinates(state));
    drawCaptured(state);
  }

  function look(view: View, room: Room): void {
    const side = room.square * view.scale;
    const { width, height } = viewportOf(view.scale, room);
    resize(viewport, width, height);
    resize(stage, room.files * side, room.ranks * side);
    root.style.setProperty("--window", `${width}px`);
    stage.style.transform = `translate(${view.x}px, ${view.y}px)`;
    rulers.look(view, room);
  }

  function aim(square: Square | null, state: State): void {
    if (square === aimedAt) return;
    aimedAt = square;
    aimed.hidden = square === null;
    if (square === null) return;
    const { x, y } = cornerOf(square, state);
    aimed.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
  }

  function coordinates(state: State): State["coordinates"] {
    return narrow && state.coordinates === "margin" ? "squares" : state.coordinates;
  }

  function measure(state: State): Room {
    narrow = root.clientWidth < NARROW_PX;
    const margin = coordinates(state) === "margin" ? MARGIN_PX : 0;
    const width = root.clientWidth - margin;
    let height = Number.POSITIVE_INFINITY;
    if (state.fit === "box") {
      const rest = [top, bottom, barElement].reduce(
        (sum, element) => sum + (root.contains(element) ? element.offsetHeight : 0),
        0,
      );
      height = host.clientHeight - margin - rest;
    }
    const side = Math.max(Math.min(width / state.files, height / state.ranks), 4);
    // A picture is exactly as wide as its element, so that it shares the edges of the text around it.
    const square = state.still || side < 8 ? side : Math.floor(side);
    const most = state.fit === "box" ? height : Math.max(width, square * state.ranks);
    return { files: state.files, ranks: state.ranks, square, width, height: most };
  }

  function say(text: string): void {
    // Screen readers repeat a text only if it differs.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  }

  return { roots, root, viewport, barElement, grid, bar, picker, loupe, ghost, draw, measure, look, aim, say };
}

/** Place the picker beside the square in the viewport, or below the square if there is no space. */
export function placePicker(
  picker: HTMLElement,
  viewport: HTMLElement,
  state: State,
  view: View,
  square: number,
): void {
  const to = state.choice[0]?.to;
  if (!to) return;
  const corner = cornerOf(to, state);
  const side = square * view.scale;
  const [x, y] = [corner.x * side + view.x, corner.y * side + view.y];
  const room = { x: viewport.clientWidth - picker.offsetWidth, y: viewport.clientHeight - picker.offsetHeight };
  const [right, left] = [x + side * 1.2, x - side * 0.2 - picker.offsetWidth];
  const beside = right <= room.x ? right : left >= 0 ? left : null;
  const fit = (wanted: number, most: number) => Math.max(Math.min(wanted, most), 0);
  picker.style.left = `${viewport.offsetLeft + fit(beside ?? x, room.x)}px`;
  picker.style.top = `${viewport.offsetTop + fit(beside === null ? y + side * 1.2 : y, room.y)}px`;
}
