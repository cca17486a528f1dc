import { t } from "../i18n";
import type { LegalMove } from "../wire";

/** Returns the moves without squares, which need buttons, but for the end of a turn: the board has a button for it. */
export function specialMoves(legal: readonly LegalMove[]): LegalMove[] {
  return legal.filter((move) => move.from === null && move.move !== "end");
}

export function specialMoveText(move: string): string {
  return move === "claim" ? t("match.special.claim") : move === "playon" ? t("match.special.playon") : move;
}
