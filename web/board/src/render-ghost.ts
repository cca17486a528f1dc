// The dragged piece, which follows the pointer.

import { make, picture } from "./dom.ts";
import { shownPieces } from "./moves.ts";
import { pieceSymbol, treeOf } from "./sprite.ts";
import type { Point } from "./squares.ts";
import { pieceTypeOf, type State } from "./state.ts";

export interface Ghost {
  /** Draw the piece in hand for squares of `square` pixels; on touch screens larger, and above the finger. */
  pickUp(state: State, square: number, touch: boolean): void;
  carry(to: Point): void;
  hide(): void;
}

export function makeGhost(root: HTMLElement): Ghost {
  const ghost = make("div", "ghost", root);
  ghost.hidden = true;
  /** The point of the page where the ghost is without a transform. */
  let origin: Point = { x: 0, y: 0 };

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
    origin = { x: place.left + size / 2, y: place.top + size * (touch ? 0.8 : 0.5) };
    ghost.replaceChildren();
    ghost.style.width = ghost.style.height = `${size}px`;
    picture(pieceSymbol(pieceTypeOf(state, piece.letter), piece.side, state.pieceSet, treeOf(ghost)), "", ghost);
  }

  function carry({ x, y }: Point): void {
    ghost.style.transform = `translate(${x - origin.x}px, ${y - origin.y}px)`;
    ghost.hidden = false;
  }

  function hide(): void {
    ghost.hidden = true;
  }

  return { pickUp, carry, hide };
}
