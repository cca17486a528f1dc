// Letters of files and numbers of ranks: beside the board, or in the squares at its edge.

import { make, resize, show } from "./dom.ts";
import { holesIn } from "./moves.ts";
import { isLight, squareName } from "./squares.ts";
import type { State } from "./state.ts";
import type { Square } from "./types.ts";
import { type Room, type View, viewportOf } from "./view.ts";

/** Height of a coordinate inside a square. */
const LABEL_PX = 11;
/** In smaller squares there is no space for a coordinate beside the piece. */
const LABELLED_PX = 38;

export interface RulersLayer {
  draw(state: State, coordinates: State["coordinates"]): void;
  look(view: View, room: Room): void;
}

/** Rulers beside the board come after `viewport`, those in the squares before `cells`. */
export function rulersLayer(
  files: HTMLElement,
  ranks: HTMLElement,
  viewport: HTMLElement,
  cells: HTMLElement,
): RulersLayer {
  // To a screen reader every square says its own name.
  for (const ruler of [files, ranks]) ruler.setAttribute("aria-hidden", "true");
  const fileStrip = make("div", "strip", files);
  const rankStrip = make("div", "strip", ranks);
  let drawn = "";
  let wanted = true;

  function draw(state: State, coordinates: State["coordinates"]): void {
    const holes = holesIn(state);
    const key = [state.files, state.ranks, state.orientation, coordinates, ...holes].join(" ");
    if (key === drawn) return;
    drawn = key;
    wanted = coordinates !== "none";
    if (coordinates === "squares") cells.before(files, ranks);
    else viewport.after(files, ranks);
    const line = (
      strip: HTMLElement,
      count: number,
      name: (at: number) => Square,
      text: (square: Square) => string,
    ) => {
      strip.replaceChildren();
      for (let at = 0; at < count; at += 1) {
        const square = name(at);
        const ground = holes.has(square) ? "on-hole" : isLight(square) ? "on-light" : "on-dark";
        make("span", ground, strip).textContent = text(square);
      }
    };
    const white = state.orientation === "white";
    const [firstRank, firstFile] = white ? [0, 0] : [state.ranks - 1, state.files - 1];
    const fileSquare = (at: number) => squareName(white ? at : state.files - 1 - at, firstRank);
    const rankSquare = (at: number) => squareName(firstFile, white ? state.ranks - 1 - at : at);
    line(fileStrip, state.files, fileSquare, (square) => square.charAt(0));
    line(rankStrip, state.ranks, rankSquare, (square) => square.slice(1));
  }

  function look({ scale, x, y }: View, room: Room): void {
    const side = room.square * scale;
    const { width, height } = viewportOf(scale, room);
    const inside = files.parentElement === cells.parentElement;
    const shown = wanted && (!inside || side >= LABELLED_PX);
    show(files, shown);
    show(ranks, shown);
    resize(files, inside ? null : width, null);
    resize(fileStrip, room.files * side, null);
    resize(ranks, null, inside ? null : height);
    resize(rankStrip, null, room.ranks * side);
    fileStrip.style.transform = inside ? `translateY(${height - y - LABEL_PX}px)` : `translateX(${x}px)`;
    rankStrip.style.transform = inside ? `translateX(${-x}px)` : `translateY(${y}px)`;
  }

  return { draw, look };
}
