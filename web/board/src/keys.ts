// Listens to keys on the board, and to what screen readers do there.

import type { GestureBoard } from "./gesture.ts";
import { choose, lift } from "./hand.ts";
import { press } from "./keyboard.ts";
import type { Renderer } from "./render.ts";
import type { LegalMove } from "./types.ts";

export function listenToKeys(
  { roots, root, grid }: Renderer,
  board: Pick<GestureBoard, "state" | "act"> & { pick(move: LegalMove | null): void },
): void {
  /** Whether the board was used with a pointer last: arrow keys are then the page's, which may step through moves. */
  let pointed = false;

  function keyDown(event: KeyboardEvent): void {
    const state = board.state();
    if (pointed && /^(Arrow|Home|End)/.test(event.key)) return;
    pointed = false;
    root.classList.add("keys");
    if (event.ctrlKey || event.metaKey || event.altKey || state.still) return;
    if (event.key === "Escape" && state.choice.length) {
      board.pick(null);
      return;
    }
    if (!(event.target as Element).closest(".grid")) return;
    const change = press(state, event.key);
    if (!change) return;
    event.preventDefault();
    board.act(() => change);
    const { choice, focus } = board.state();
    if (!choice.length) grid.cell(focus)?.focus({ preventScroll: true });
  }

  /** Screen readers move the focus themselves. */
  function focusIn(event: FocusEvent): void {
    const { square } = (event.target as HTMLElement).dataset;
    if (square && square !== board.state().focus) board.act((now) => [{ ...now, focus: square }]);
  }

  /** Screen readers click without a pointer. */
  function click(event: MouseEvent): void {
    if (event.detail !== 0) return;
    const target = (event.target as Element).closest<HTMLElement>("[data-square], [data-tray]");
    const { square, tray, group } = target?.dataset ?? {};
    if (square) board.act((now) => choose({ ...now, focus: square }, square));
    else if (tray) board.act((now) => lift(now, { tray, group: Number(group) }));
  }

  root.addEventListener("keydown", keyDown);
  root.addEventListener("keyup", (event) => {
    if (event.key !== "Tab") return;
    pointed = false;
    root.classList.add("keys");
  });
  root.addEventListener("pointerdown", () => {
    pointed = true;
    root.classList.remove("keys");
  });
  root.addEventListener("focusin", focusIn);
  for (const part of roots) part.addEventListener("click", click);
}
