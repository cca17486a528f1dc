// Above the board: whose turn it is, and what may be pressed.

import type { LegalMove } from "@acedrex/board";
import { add } from "./dom.ts";
import type { Shown } from "./model.ts";

/** What moves without squares are called. `end` is a button of the board. */
const WORDS: Record<string, string> = { claim: "Claim the win", playon: "Play on" };

export interface Pressed {
  back(): void;
  flip(): void;
  word(move: LegalMove): void;
}

/** Make the line above the board; what is given back fills it. */
export function makeHead(parent: HTMLElement, pressed: Pressed) {
  const head = add("div", "head", parent);
  const status = add("p", "", head);
  status.setAttribute("role", "status");
  const buttons = add("div", "buttons", head);
  const words = add("div", "buttons", buttons);
  const back = button("Take back", buttons, pressed.back);
  button("Flip", buttons, pressed.flip).title = "Flip board";

  return (shown: Shown, moves: LegalMove[], unfinished: boolean): void => {
    status.textContent = shown.status;
    back.hidden = unfinished || !shown.back || shown.setup !== null;
    words.replaceChildren();
    for (const move of moves) button(WORDS[move.move] ?? move.move, words, () => pressed.word(move));
  };
}

function button(text: string, parent: HTMLElement, press: () => void): HTMLButtonElement {
  const made = add("button", "", parent);
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}
