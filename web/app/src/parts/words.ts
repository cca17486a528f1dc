import { t } from "../i18n";
import type { LegalMove } from "../wire";

/** The moves that are words, for which there is no square to press; to end a turn the board itself has a button. */
export function wordsIn(legal: readonly LegalMove[]): LegalMove[] {
  return legal.filter((move) => move.from === null && move.move !== "end");
}

export function wordText(move: string): string {
  return move === "claim" ? t("match.word.claim") : move === "playon" ? t("match.word.playon") : move;
}
