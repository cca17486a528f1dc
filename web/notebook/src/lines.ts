// Below the board: the lines of an engine.

import { type PieceType, writeMoves } from "@acedrex/board";
import { add } from "./dom.ts";
import type { Lines } from "./messages.ts";

/** Make the section for the lines; returns the function that fills it. */
export function makeLines(parent: HTMLElement) {
  const engine = add("section", "engine", parent);
  engine.setAttribute("aria-label", "Engine analysis");
  const chance = add("div", "chance", engine);
  const list = add("ol", "", engine);
  const summary = add("p", "summary", engine);

  /** Fill the section; `pieceTypes` are the pieces that are shown as figurines. */
  return (lines: Lines | null, pieceTypes: readonly PieceType[]): void => {
    engine.hidden = lines === null;
    if (lines === null) return;
    summary.textContent = lines.summary;
    // Keeps the last value until there is a new one.
    if (lines.chance !== null) chance.style.setProperty("--white", String(lines.chance));
    list.style.setProperty("--lines", String(lines.most));
    list.replaceChildren();
    for (const { score, san } of lines.lines) {
      const item = add("li", "", list);
      add("strong", "", item).textContent = score;
      const line = add("span", "", item);
      line.title = san;
      writeMoves(line, san, pieceTypes);
    }
  };
}
