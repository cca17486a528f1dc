// The captured pieces of each side, above and below the board.

import { lost } from "./captured.ts";
import { make, picture, show } from "./dom.ts";
import { readPlacement } from "./fen.ts";
import { pieceSymbol, treeOf } from "./sprite.ts";
import { otherSide, pieceTypeOf, type State } from "./state.ts";
import { fill } from "./texts.ts";
import type { Side } from "./types.ts";

export function capturedLayer(top: HTMLElement, bottom: HTMLElement): (state: State) => void {
  let drawn = "";

  return (state: State): void => {
    // While the setup is chosen nothing is captured yet, and the bar needs the space.
    const shown = state.start !== null && state.setup === null;
    show(top, shown);
    show(bottom, shown);
    const { position, start } = state;
    if (!position || start === null) return;
    const before = readPlacement(start);
    const rows = [top, bottom].map((strip, index) => {
      const side: Side = index === 1 ? state.orientation : otherSide(state.orientation);
      return { strip, side, letters: lost(otherSide(side), before, position.pieces, state.pieceTypes) };
    });
    const key = JSON.stringify([rows.map(({ side, letters }) => [side, letters]), state.pieceSet]);
    if (key === drawn) return;
    drawn = key;
    for (const { strip, side, letters } of rows) {
      strip.replaceChildren();
      strip.setAttribute("role", "img");
      const names = letters.map((letter) => pieceTypeOf(state, letter).name).join(", ");
      const who = side === "white" ? state.texts.white : state.texts.black;
      strip.setAttribute("aria-label", `${fill(state.texts.capturedPieces, { side: who })}: ${names || "–"}`);
      if (letters.length === 0) continue;
      const row = make("div", "taken", strip);
      letters.forEach((letter, at) => {
        const symbol = pieceSymbol(pieceTypeOf(state, letter), otherSide(side), state.pieceSet, treeOf(strip));
        picture(symbol, letters[at - 1] === letter ? "again" : "", row);
      });
    }
  };
}
