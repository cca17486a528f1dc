// Above the board: whose turn it is, and buttons.

import type { LegalMove } from "@acedrex/board";
import { add } from "./dom.ts";
import type { Shown } from "./messages.ts";

/** The labels of moves without squares. `end` is a button of the board. */
const SPECIAL: Record<string, string> = { claim: "Claim the win", playon: "Play on" };

export interface Actions {
  back(): void;
  flip(): void;
  special(move: LegalMove): void;
}

/** Make the line above the board; returns the function that fills it. */
export function makeHead(parent: HTMLElement, actions: Actions) {
  const head = add("div", "head", parent);
  const status = add("p", "", head);
  status.setAttribute("role", "status");
  const buttons = add("div", "buttons", head);
  const special = add("div", "buttons", buttons);
  const back = button("Take back", buttons, actions.back);
  button("Flip", buttons, actions.flip).title = "Flip board";

  return (shown: Shown, moves: LegalMove[], unfinished: boolean): void => {
    status.textContent = shown.status;
    back.hidden = unfinished || !shown.back || shown.setup !== null;
    special.replaceChildren();
    for (const move of moves) button(SPECIAL[move.move] ?? move.move, special, () => actions.special(move));
  };
}

function button(text: string, parent: HTMLElement, press: () => void): HTMLButtonElement {
  const made = add("button", "", parent);
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}
