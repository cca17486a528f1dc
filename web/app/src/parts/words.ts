import { t } from "../i18n";
import type { LegalPly } from "../wire";

/** The plies that are words, for which there is no square to press; to end a turn the board itself has a button. */
export function wordsIn(legal: readonly LegalPly[]): LegalPly[] {
  return legal.filter((ply) => ply.from === null && ply.ply !== "end");
}

export function wordText(ply: string): string {
  return ply === "claim" ? t("match.word.claim") : ply === "playon" ? t("match.word.playon") : ply;
}
