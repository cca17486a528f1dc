import type { Board, BoardOptions } from "./settings.ts";

/** Put a board into an element. */
export function createBoard(element: HTMLElement, _options: BoardOptions): Board {
  return { set() {}, type: () => false, announce() {}, destroy: () => element.replaceChildren() };
}
