// The magnifier above the finger, for small squares: a copy of the drawing, made when the finger touches the board.

import { make } from "./dom.ts";
import { cornerOf, type Facing, type Point } from "./squares.ts";
import type { Square } from "./types.ts";

export interface Loupe {
  /** Magnify a point of the board, in squares, above a point of the viewport, in pixels. */
  show(at: Point, finger: Point, facing: Facing): void;
  /** Frame the square that would be chosen. */
  aim(square: Square | null, facing: Facing): void;
  hide(): void;
}

/** Sizes of a square in the magnifier and of the magnifier itself. */
const SQUARE_PX = 64;
const GLASS_PX = 136;

export function makeLoupe(parent: HTMLElement, layers: Element[]): Loupe {
  const glass = make("div", "loupe", parent);
  glass.hidden = true;
  glass.setAttribute("aria-hidden", "true");
  const inside = make("div", "stage", glass);
  const aimed = make("div", "aim", inside);

  return {
    show(at, finger, facing) {
      if (glass.hidden) {
        inside.replaceChildren(...layers.map((layer) => layer.cloneNode(true)), aimed);
        inside.style.width = `${facing.files * SQUARE_PX}px`;
        inside.style.height = `${facing.ranks * SQUARE_PX}px`;
        glass.hidden = false;
      }
      const above = finger.y - GLASS_PX - 36;
      glass.style.transform = `translate(${finger.x - GLASS_PX / 2}px, ${above}px)`;
      inside.style.transform = `translate(${GLASS_PX / 2 - at.x * SQUARE_PX}px, ${GLASS_PX / 2 - at.y * SQUARE_PX}px)`;
    },
    aim(square, facing) {
      aimed.hidden = square === null;
      if (square === null) return;
      const { x, y } = cornerOf(square, facing);
      aimed.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
    },
    hide() {
      if (glass.hidden) return;
      glass.hidden = true;
      inside.replaceChildren();
    },
  };
}
