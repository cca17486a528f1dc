import type { Arrow } from "@acedrex/board";
import type { Position } from "../wire";

/** Arrows for the plies of a turn: the first is a legal ply, of those behind it only the text is known. */
export function hintArrows(plies: string[], position: Position): Arrow[] {
  return plies.flatMap((text) => {
    const ply = position.legal.find((legal) => legal.ply === text);
    const [, from, to] = ply ? [text, ply.from, ply.to] : (/^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(text) ?? []);
    return from && to ? [{ from, to, colour: "gold" as const }] : [];
  });
}
