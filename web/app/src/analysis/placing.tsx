// The pieces beside an editor's board and the tools that place them, with taps or by dragging.

import { readHoles, stillPosition } from "@acedrex/board";
import { Eraser, Hand, SquareX } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { t } from "../i18n";
import { PieceDrawing } from "../parts/board";
import { Icon } from "../parts/icon";
import type { PieceOn, PieceType, Side } from "../wire";
import { squareAt, useCarry } from "./carry";

/**
 * What pressing a square does: it puts a piece there, erases one, picks one up to move it, or makes a hole in the board.
 * Dragging always moves.
 */
export type Tool = { what: "put"; letter: string; side: Side } | { what: "erase" | "move" | "hole" };

/** Empties squares, and puts pieces on squares, whatever was there. */
export type Change = (gone: string[], came: PieceOn[]) => void;

interface Placing {
  pieceTypes: readonly PieceType[];
  pieces: readonly PieceOn[];
  /** A FEN with the holes of the board. */
  fen: string;
  change: Change;
  /** Makes a hole, or takes one away; without it, the holes stay as they are. */
  dig?: (square: string) => void;
  first?: Tool | undefined;
}

/** An editor's board: `press` takes the squares that are pressed, `handlers` are for what surrounds board and palette. */
export function usePlacing({ pieceTypes, pieces, fen, change, dig, first = { what: "move" } }: Placing) {
  const holes = readHoles(fen);
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
      if (square === from || (square && holes.has(square))) return;
      change(from ? [from] : [], square ? [{ square, letter: kind.letter, side }] : []);
    },
  );
  const press = (square: string) => {
    if (carry.used()) return;
    if (tool.what === "hole" || (dig && tool.what === "erase" && holes.has(square))) return dig?.(square);
    if (holes.has(square)) return;
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
  const position = useMemo(() => ({ ...stillPosition(fen), pieces: [...pieces] }), [fen, pieces]);
  const palette = { pieceTypes, tool, choose, digs: dig !== undefined };
  return { handlers: carry.handlers, view: carry.view, press, hints, position, palette };
}

/** The tools that move and erase, and the pieces of both sides. */
export function Palette({
  pieceTypes,
  tool,
  choose,
  digs,
}: {
  pieceTypes: readonly PieceType[];
  tool: Tool;
  choose: (tool: Tool) => void;
  digs: boolean;
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
        {digs && (
          <button type="button" aria-pressed={tool.what === "hole"} onClick={() => choose({ what: "hole" })}>
            <Icon of={SquareX} size={18} /> {t("studio.hole")}
          </button>
        )}
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
