import type { Arrow } from "@acedrex/board";
import type { Position } from "../wire";

/** Arrows for the moves of a turn: the first is a legal move, of those behind it only the text is known. */
export function hintArrows(moves: string[], position: Position): Arrow[] {
  return moves.flatMap((text) => {
    const move = position.legal.find((legal) => legal.move === text);
    const [, from, to] = move ? [text, move.from, move.to] : (/^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(text) ?? []);
    return from && to ? [{ from, to, colour: "gold" as const }] : [];
  });
}
