import type { Arrow } from "@acedrex/board";
import type { Position } from "../wire";

/** Returns arrows for the moves of a turn. Only the first is legal now; of the others only the texts are known. */
export function hintArrows(moves: string[], position: Position): Arrow[] {
  return moves.flatMap((text) => {
    const move = position.legal.find((legal) => legal.move === text);
    const [, from, to] = move ? [text, move.from, move.to] : (/^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(text) ?? []);
    return from && to ? [{ from, to, colour: "gold" as const }] : [];
  });
}
