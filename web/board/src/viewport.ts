// The viewport of a board: its current view, which the player zooms and moves.

import type { Renderer } from "./render.ts";
import { cornerOf } from "./squares.ts";
import type { State } from "./state.ts";
import type { Square } from "./types.ts";
import { closer, firstView, type Room, reveal as revealed, type View, WHOLE, within } from "./view.ts";

export interface Viewport {
  view(): View;
  room(): Room;
  /** Show another part of the board, or show it at another scale. */
  look(view: View): void;
  /** Measure the element, and draw what fits into it. */
  fit(): void;
  toggleZoom(): void;
  /** Move an enlarged board so that a square is in sight. */
  reveal(square: Square): void;
}

export function makeViewport(renderer: Renderer, board: { state(): State; render(): void }): Viewport {
  let view: View = WHOLE;
  let room: Room = { files: 1, ranks: 1, square: 1, width: 1, height: 1 };
  /** Whether the player has chosen how large the squares are. */
  let chosenScale = false;

  function look(next: View): void {
    const zoomed = view.scale > 1;
    chosenScale ||= next.scale !== view.scale;
    view = within(next, room);
    renderer.look(view, room);
    if (view.scale > 1 !== zoomed) board.render();
  }

  function fit(): void {
    const { files, ranks, square } = room;
    room = renderer.measure(board.state());
    const reshaped = files !== room.files || ranks !== room.ranks;
    if (reshaped) chosenScale = false;
    const reset = reshaped || (square !== room.square && !chosenScale);
    view = board.state().still ? WHOLE : reset ? firstView(room) : within(view, room);
    board.render();
    renderer.look(view, room);
  }

  function toggleZoom(): void {
    look(view.scale > 1 ? WHOLE : closer(cornerOf(board.state().focus, board.state()), room));
  }

  function reveal(square: Square): void {
    if (view.scale > 1) look(revealed(view, cornerOf(square, board.state()), room));
  }

  return { view: () => view, room: () => room, look, fit, toggleZoom, reveal };
}
