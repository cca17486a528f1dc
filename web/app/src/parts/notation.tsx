import { figurineSymbol } from "@acedrex/board";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { settings } from "../client";
import type { PieceKind } from "../wire";
import { drawn } from "./board";
import { sanParts } from "./san";
import "../style/notation.css";

/** The kinds of the game whose moves are shown. */
export const Kinds = createContext<PieceKind[]>([]);

/** Moves as text, with a figurine in front of each letter of a piece that has a drawing. Copied text has the letters. */
export function San({ of }: { of: string }) {
  const kinds = useContext(Kinds);
  const { notation, pieces } = settings.value;
  if (notation === "letters" || pieces !== "art" || !drawn.value) return <span>{of}</span>;
  const parts = sanParts(
    of,
    kinds.map((kind) => kind.letter),
  );
  return (
    <span>
      {parts.map(({ text, piece }, index) => {
        const kind = piece ? kinds.find(({ letter }) => letter === text) : undefined;
        const symbol = kind ? figurineSymbol(kind) : null;
        if (!symbol) return text;
        return (
          <span class="figurine" key={index} title={kind?.name}>
            <svg aria-hidden="true">
              <use href={`#${symbol}`} />
            </svg>
            <span>{text}</span>
          </span>
        );
      })}
    </span>
  );
}
