// The one place that touches the document: it builds the board's elements and draws a state into them.

import { lost } from "./captured.ts";
import { make, makeSvg, picture, setAttribute, show } from "./dom.ts";
import { readPlacement } from "./fen.ts";
import { type Loupe, makeLoupe } from "./loupe.ts";
import { shownPieces } from "./moves.ts";
import { type Bar, makeBar, type Press, type Surroundings } from "./render-bar.ts";
import { type GridLayer, gridLayer } from "./render-grid.ts";
import { marksLayers } from "./render-marks.ts";
import { makePicker, type Picker } from "./render-picker.ts";
import { piecesLayer } from "./render-pieces.ts";
import { pieceSymbol } from "./sprite.ts";
import { cornerOf, fileOf, type Point, rankOf, squareName } from "./squares.ts";
import { kindOf, otherSide, type State } from "./state.ts";
import { fill } from "./texts.ts";
import type { LegalMove, Side, Square } from "./types.ts";
import { type Room, type View, windowOf } from "./view.ts";

/** Pixels of the margin with coordinates. */
const MARGIN = 20;
/** Below this many pixels of width every one of them goes to the squares, and coordinates into them. */
const NARROW = 480;
/** Height of a coordinate inside a square. */
const LABEL = 11;

export interface Renderer {
  root: HTMLElement;
  /** The part of the page where the board is seen. */
  viewport: HTMLElement;
  barElement: HTMLElement;
  grid: GridLayer;
  bar: Bar;
  picker: Picker;
  loupe: Loupe;
  /** What follows the pointer while a piece is dragged. */
  ghost: HTMLElement;
  draw(state: State, around: Surroundings): void;
  /** Fit the squares into the element. */
  measure(state: State): Room;
  look(view: View, room: Room): void;
  /** Have the piece in hand follow the pointer. */
  pickUp(state: State, square: number, touch: boolean): void;
  carry(at: Point): void;
  /** Frame the square that a dragged piece would go to. */
  aim(square: Square | null, state: State): void;
  say(text: string): void;
}

export function makeRenderer(
  host: HTMLElement,
  press: (what: Press) => void,
  pick: (move: LegalMove | null) => void,
): Renderer {
  const root = make("div", "acedrex-board", host);
  const top = make("div", "captured", root);
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
  const bottom = make("div", "captured", root);
  const barElement = make("div", "bar", root);
  const bar = makeBar(barElement, press);
  const ghost = make("div", "ghost", root);
  ghost.hidden = true;
  const live = make("div", "live", root);
  live.setAttribute("aria-live", "polite");
  const fileStrip = make("div", "strip", files);
  const rankStrip = make("div", "strip", ranks);
  let carried: Point = { x: 0, y: 0 };
  let aimedAt: Square | null = null;
  let narrow = false;
  let rulerKey = "";
  let capturedKey = "";

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
    drawRulers(state);
    drawCaptured(state);
  }

  function look({ scale, x, y }: View, room: Room): void {
    const side = room.square * scale;
    const { width, height } = windowOf(scale, room);
    const inside = files.parentElement === stage;
    resizeTo(viewport, width, height);
    resizeTo(stage, room.files * side, room.ranks * side);
    resizeTo(files, inside ? null : width, null);
    resizeTo(fileStrip, room.files * side, null);
    resizeTo(ranks, null, inside ? null : height);
    resizeTo(rankStrip, null, room.ranks * side);
    root.style.setProperty("--window", `${width}px`);
    stage.style.transform = `translate(${x}px, ${y}px)`;
    fileStrip.style.transform = inside ? `translateY(${height - y - LABEL}px)` : `translateX(${x}px)`;
    rankStrip.style.transform = inside ? `translateX(${-x}px)` : `translateY(${y}px)`;
  }

  function pickUp(state: State, square: number, touch: boolean): void {
    const { hand } = state;
    if (!hand) return;
    const piece =
      "tray" in hand
        ? { letter: hand.tray, side: "black" as const }
        : shownPieces(state).find(({ square: at }) => at === hand.square);
    if (!piece) return;
    const size = square * (touch ? 1.4 : 1);
    const place = root.getBoundingClientRect();
    carried = { x: place.left + size / 2, y: place.top + size * (touch ? 0.8 : 0.5) };
    ghost.replaceChildren();
    ghost.style.width = ghost.style.height = `${size}px`;
    picture(pieceSymbol(kindOf(state, piece.letter), piece.side, state.pieceSet), "", ghost);
  }

  function carry(at: Point): void {
    ghost.style.transform = `translate(${at.x - carried.x}px, ${at.y - carried.y}px)`;
    ghost.hidden = false;
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

  function drawRulers(state: State): void {
    const key = `${state.files} ${state.ranks} ${state.orientation} ${coordinates(state)}`;
    if (key === rulerKey) return;
    rulerKey = key;
    if (coordinates(state) === "squares") cells.before(files, ranks);
    else viewport.after(files, ranks);
    show(files, state.coordinates !== "none");
    show(ranks, state.coordinates !== "none");
    const line = (
      strip: HTMLElement,
      count: number,
      name: (at: number) => Square,
      text: (square: Square) => string,
    ) => {
      strip.replaceChildren();
      for (let at = 0; at < count; at += 1) {
        const square = name(at);
        const light = (fileOf(square) + rankOf(square)) % 2 === 1;
        make("span", light ? "on-light" : "on-dark", strip).textContent = text(square);
      }
    };
    const white = state.orientation === "white";
    const [firstRank, firstFile] = white ? [0, 0] : [state.ranks - 1, state.files - 1];
    const fileSquare = (at: number) => squareName(white ? at : state.files - 1 - at, firstRank);
    const rankSquare = (at: number) => squareName(firstFile, white ? state.ranks - 1 - at : at);
    line(fileStrip, state.files, fileSquare, (square) => square.charAt(0));
    line(rankStrip, state.ranks, rankSquare, (square) => square.slice(1));
  }

  function drawCaptured(state: State): void {
    // While the setup is chosen nothing is captured yet, and there is other use for the room.
    const shown = state.start !== null && state.setup === null;
    show(top, shown);
    show(bottom, shown);
    const { position, start } = state;
    if (!position || start === null) return;
    const before = readPlacement(start);
    const rows = [top, bottom].map((strip, index) => {
      const side: Side = index === 1 ? state.orientation : otherSide(state.orientation);
      return { strip, side, letters: lost(otherSide(side), before, position.pieces, state.kinds) };
    });
    const key = JSON.stringify([rows.map(({ side, letters }) => [side, letters]), state.pieceSet]);
    if (key === capturedKey) return;
    capturedKey = key;
    for (const { strip, side, letters } of rows) {
      strip.replaceChildren();
      strip.setAttribute("role", "img");
      const names = letters.map((letter) => kindOf(state, letter).name).join(", ");
      const who = side === "white" ? state.texts.white : state.texts.black;
      strip.setAttribute("aria-label", `${fill(state.texts.capturedPieces, { side: who })}: ${names || "–"}`);
      if (letters.length === 0) continue;
      const taken = make("div", "taken", strip);
      letters.forEach((letter, at) => {
        const symbol = pieceSymbol(kindOf(state, letter), otherSide(side), state.pieceSet);
        picture(symbol, letters[at - 1] === letter ? "again" : "", taken);
      });
    }
  }

  function measure(state: State): Room {
    narrow = root.clientWidth < NARROW;
    const margin = coordinates(state) === "margin" ? MARGIN : 0;
    const width = root.clientWidth - margin;
    let height = Number.POSITIVE_INFINITY;
    if (state.fit === "box") {
      const rest = [top, bottom, barElement].reduce((sum, element) => sum + element.offsetHeight, 0);
      height = host.clientHeight - margin - rest;
    }
    const side = Math.max(Math.min(width / state.files, height / state.ranks), 4);
    const square = side < 8 ? side : Math.floor(side);
    const most = state.fit === "box" ? height : Math.max(width, square * state.ranks);
    return { files: state.files, ranks: state.ranks, square, width, height: most };
  }

  function say(text: string): void {
    // The same text again is said again.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  }

  return { root, viewport, barElement, grid, bar, picker, loupe, ghost, draw, measure, look, pickUp, carry, aim, say };
}

function resizeTo({ style }: HTMLElement, width: number | null, height: number | null): void {
  style.width = width === null ? "" : `${width}px`;
  style.height = height === null ? "" : `${height}px`;
}

/** Where the picker stands: beside the square in the board's window, or below it where that is too narrow. */
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
