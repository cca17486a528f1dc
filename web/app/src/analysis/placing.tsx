// The pieces beside an editor's board and the tools that place them, with taps or by dragging.

import { stillPosition } from "@acedrex/board";
import { Eraser, Hand } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { t } from "../i18n";
import { PieceDrawing } from "../parts/board";
import { Icon } from "../parts/icon";
import type { PieceOn, PieceType, Side } from "../wire";
import { squareAt, useCarry } from "./carry";

/** What pressing a square does: it puts a piece there, erases one, or picks one up to move it. Dragging always moves. */
export type Tool = { what: "put"; letter: string; side: Side } | { what: "erase" } | { what: "move" };

/** Empties squares, and puts pieces on squares, whatever was there. */
export type Change = (gone: string[], came: PieceOn[]) => void;

/** An editor's board: `press` takes the squares that are pressed, `handlers` are for what surrounds board and palette. */
export function usePlacing(
  pieceTypes: readonly PieceType[],
  pieces: readonly PieceOn[],
  change: Change,
  first: Tool = { what: "move" },
) {
  const [tool, setTool] = useState<Tool>(first);
  const [lifted, setLifted] = useState<string | null>(null);
  const pieceOn = (square: string | null) => pieces.find((piece) => piece.square === square);
  const carry = useCarry(
    (event) => {
      const { palette, side } = (event.target as Element).closest<HTMLElement>("[data-palette]")?.dataset ?? {};
      const from = palette ? null : squareAt(event);
      const kind = pieceTypes.find(({ letter }) => letter === (palette ?? pieceOn(from)?.letter));
      return kind ? { kind, side: palette ? (side as Side) : (pieceOn(from)?.side ?? "white"), from } : null;
    },
    ({ kind, side, from }, square) => {
      setLifted(null);
      if (square === from) return;
      change(from ? [from] : [], square ? [{ square, letter: kind.letter, side }] : []);
    },
  );
  const press = (square: string) => {
    if (carry.used()) return;
    const there = pieceOn(square);
    if (tool.what === "erase") change([square], []);
    else if (tool.what === "put") {
      const same = there?.letter === tool.letter && there.side === tool.side;
      change([square], same ? [] : [{ square, letter: tool.letter, side: tool.side }]);
    } else if (lifted === null) setLifted(there ? square : null);
    else {
      const piece = pieceOn(lifted);
      setLifted(null);
      if (piece && lifted !== square) change([lifted], [{ ...piece, square }]);
    }
  };
  const choose = (next: Tool) => {
    if (carry.used()) return;
    setTool(next);
    setLifted(null);
  };
  const ringed = carry.carried?.from ?? lifted;
  const hints = useMemo(() => (ringed ? [{ from: ringed, to: ringed, colour: "gold" as const }] : []), [ringed]);
  const position = useMemo(() => ({ ...stillPosition(""), pieces: [...pieces] }), [pieces]);
  return { handlers: carry.handlers, view: carry.view, press, hints, position, palette: { pieceTypes, tool, choose } };
}

/** The tools that move and erase, and the pieces of both sides. */
export function Palette({
  pieceTypes,
  tool,
  choose,
}: {
  pieceTypes: readonly PieceType[];
  tool: Tool;
  choose: (tool: Tool) => void;
}) {
  return (
    <>
      <div class="together">
        <button type="button" aria-pressed={tool.what === "move"} onClick={() => choose({ what: "move" })}>
          <Icon of={Hand} size={18} /> {t("analysis.edit.move")}
        </button>
        <button type="button" aria-pressed={tool.what === "erase"} onClick={() => choose({ what: "erase" })}>
          <Icon of={Eraser} size={18} /> {t("analysis.edit.erase")}
        </button>
      </div>
      {(["white", "black"] as const).map((side) => (
        <div class="tray-row" key={side}>
          {pieceTypes.map((kind) => (
            <button
              type="button"
              class="quiet"
              key={kind.letter}
              title={kind.name}
              aria-label={t(side === "white" ? "board.whitePiece" : "board.blackPiece", { piece: kind.name })}
              data-palette={kind.letter}
              data-side={side}
              aria-pressed={tool.what === "put" && tool.letter === kind.letter && tool.side === side}
              onClick={() => choose({ what: "put", letter: kind.letter, side })}
            >
              <PieceDrawing kind={kind} side={side} />
            </button>
          ))}
        </div>
      ))}
    </>
  );
}
