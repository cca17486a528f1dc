import { figurineParts } from "@acedrex/board";
import "@acedrex/board/figurines.css";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { settings } from "../client";
import type { PieceType } from "../wire";
import { drawn } from "./board";
import "../style/notation.css";

/** The piece types of the game whose moves are shown. */
export const PieceTypes = createContext<PieceType[]>([]);

/** Moves as text, with a figurine in front of each letter of a piece that has a drawing. Copied text has the letters. */
export function San({ of }: { of: string }) {
  const pieceTypes = useContext(PieceTypes);
  const { notation, pieces } = settings.value;
  if (notation === "letters" || pieces !== "art" || !drawn.value) return <span>{of}</span>;
  return (
    <span>
      {figurineParts(of, pieceTypes).map(({ text, figurine }, index) =>
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
