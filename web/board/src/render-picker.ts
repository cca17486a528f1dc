// The choice of a promotion.

import { make, picture, setText, show } from "./dom.ts";
import { pieceSymbol, treeOf } from "./sprite.ts";
import { pieceAt, pieceTypeOf, type State } from "./state.ts";
import type { LegalMove } from "./types.ts";

export interface Picker {
  draw(state: State): void;
  element: HTMLElement;
}

export function makePicker(parent: HTMLElement, pick: (move: LegalMove | null) => void): Picker {
  const element = make("div", "picker", parent);
  element.setAttribute("role", "dialog");
  element.hidden = true;
  const title = make("p", "title", element);
  const list = make("div", "kinds", element);
  const note = make("p", "note", element);
  const cancel = make("button", "", element);
  cancel.type = "button";
  cancel.addEventListener("click", () => pick(null));
  let shown: LegalMove[] = [];

  function draw(state: State): void {
    const { choice, texts } = state;
    if (choice === shown) return;
    shown = choice;
    show(element, choice.length > 0);
    if (choice.length === 0) return;
    element.setAttribute("aria-label", texts.promote);
    setText(title, texts.promote);
    setText(note, state.promotionNote ?? "");
    show(note, state.promotionNote !== null);
    setText(cancel, texts.cancel);
    list.replaceChildren();
    for (const move of choice) {
      const piece = move.from && pieceAt(state, move.from);
      if (!piece) continue;
      const kind = pieceTypeOf(state, move.promotion ?? piece.letter);
      const button = make("button", "", list);
      button.type = "button";
      picture(pieceSymbol(kind, piece.side, state.pieceSet, treeOf(button)), "", button);
      make("span", "", button).textContent = move.promotion === null ? texts.noPromotion : kind.name;
      button.addEventListener("click", () => pick(move));
    }
    (list.firstElementChild as HTMLElement | null)?.focus({ preventScroll: true });
  }

  return { draw, element };
}
