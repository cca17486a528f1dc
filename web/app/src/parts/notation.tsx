import { figurineParts } from "@acedrex/board";
import "@acedrex/board/figurines.css";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { settings } from "../client";
import type { PieceKind } from "../wire";
import { drawn } from "./board";
import "../style/notation.css";

/** The kinds of the game whose moves are shown. */
export const Kinds = createContext<PieceKind[]>([]);

/** Moves as text, with a figurine in front of each letter of a piece that has a drawing. Copied text has the letters. */
export function San({ of }: { of: string }) {
  const kinds = useContext(Kinds);
  const { notation, pieces } = settings.value;
  if (notation === "letters" || pieces !== "art" || !drawn.value) return <span>{of}</span>;
  return (
    <span>
      {figurineParts(of, kinds).map(({ text, figurine }, index) =>
        figurine ? (
          <span class="figurine" key={index} title={figurine.name}>
            <svg aria-hidden="true">
              <use href={`#${figurine.symbol}`} />
            </svg>
            <span>{text}</span>
          </span>
        ) : (
          text
        ),
      )}
    </span>
  );
}
