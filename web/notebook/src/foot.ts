// What is below the board: whose turn it is, what may be pressed, and what an engine thinks.

import type { LegalPly } from "@acedrex/board";
import type { Lines, Shown } from "./model.ts";

/** What plies without squares are called. `end` is a button of the board. */
const WORDS: Record<string, string> = { claim: "Claim a draw", playon: "Play on" };

export interface Foot {
  tell(shown: Shown, words: LegalPly[], unfinished: boolean): void;
  think(lines: Lines | null): void;
}

export interface Pressed {
  back(): void;
  flip(): void;
  word(ply: LegalPly): void;
}

export function makeFoot(parent: HTMLElement, pressed: Pressed): Foot {
  const foot = add("div", "foot", parent);
  const news = add("div", "news", foot);
  const status = add("p", "", news);
  status.setAttribute("role", "status");
  const buttons = add("div", "buttons", news);
  const words = add("div", "buttons", buttons);
  const back = button("Take back", buttons, pressed.back);
  button("Flip", buttons, pressed.flip).title = "Turn the board round";
  const engine = add("section", "engine", foot);
  engine.setAttribute("aria-label", "What an engine thinks");
  const chance = add("div", "chance", engine);
  const list = add("ol", "", engine);
  const told = add("p", "told", engine);
  engine.hidden = true;

  return {
    tell(shown, plies, unfinished) {
      status.textContent = shown.status;
      back.hidden = unfinished || !shown.back || shown.setup !== null;
      words.replaceChildren();
      for (const ply of plies) button(WORDS[ply.ply] ?? ply.ply, words, () => pressed.word(ply));
    },
    think(lines) {
      engine.hidden = lines === null;
      if (lines === null) return;
      told.textContent = lines.told;
      // What was known last is shown until more is.
      if (lines.chance !== null) chance.style.setProperty("--white", String(lines.chance));
      list.replaceChildren();
      for (const { score, san } of lines.lines) {
        const item = add("li", "", list);
        add("strong", "", item).textContent = score;
        const line = add("span", "", item);
        line.textContent = san;
        line.title = san;
      }
    },
  };
}

function add<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, parent: HTMLElement) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  parent.append(element);
  return element;
}

function button(text: string, parent: HTMLElement, press: () => void): HTMLButtonElement {
  const made = add("button", "", parent);
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}
