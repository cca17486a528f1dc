// The squares for screen readers and keyboards: a grid with one tab stop.

import { make, setAttribute } from "./dom.ts";
import { isIn, pieceName, targets } from "./hand.ts";
import { holesIn, shownPieces } from "./moves.ts";
import { rowsOf } from "./squares.ts";
import type { State } from "./state.ts";
import { fill } from "./texts.ts";
import type { Square } from "./types.ts";

export interface GridLayer {
  draw(state: State): void;
  cell(square: Square): HTMLElement | undefined;
}

export function gridLayer(grid: HTMLElement): GridLayer {
  const cells = new Map<Square, HTMLElement>();
  let shape = "";

  function build(state: State): void {
    grid.replaceChildren();
    cells.clear();
    for (const row of rowsOf(state)) {
      const line = make("div", "row", grid);
      line.setAttribute("role", "row");
      for (const square of row) {
        const cell = make("div", "cell", line);
        cell.setAttribute("role", "gridcell");
        cell.dataset.square = square;
        cells.set(square, cell);
      }
    }
  }

  function draw(state: State): void {
    const { texts } = state;
    const wanted = `${state.files} ${state.ranks} ${state.orientation}`;
    if (wanted !== shape) build(state);
    shape = wanted;
    setAttribute(grid, "aria-label", fill(texts.board, { files: state.files, ranks: state.ranks }));
    const pieces = new Map(shownPieces(state).map((piece) => [piece.square, piece]));
    const goals = new Set(targets(state));
    const holes = holesIn(state);
    const free = new Set(state.setup?.phase.groups.flatMap((group) => group.squares));
    for (const [square, cell] of cells) {
      const piece = pieces.get(square);
      let label = fill(piece ? texts.occupied : holes.has(square) ? texts.hole : texts.empty, {
        square,
        piece: piece ? pieceName(state, piece) : "",
      });
      if (goals.has(square)) label = fill(piece && !state.setup ? texts.capturable : texts.target, { label });
      else if (free.has(square)) label = fill(texts.freeSquare, { label });
      setAttribute(cell, "aria-label", label);
      setAttribute(cell, "tabindex", square === state.focus ? "0" : "-1");
      setAttribute(cell, "aria-selected", String(isIn(state.hand, square)));
    }
  }

  return { draw, cell: (square) => cells.get(square) };
}
