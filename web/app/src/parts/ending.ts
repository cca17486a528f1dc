import { t, tOr } from "../i18n";
import type { Ending } from "../wire";

/** How a match ended, in a sentence: the result, then why. */
export function endingText(ending: Ending): string {
  const reason = reasonText(ending.reason, ending.limit);
  if (ending.result === "*") return reason;
  const winner =
    ending.winner === null ? t("ending.drawn") : t(ending.winner === "white" ? "ending.white" : "ending.black");
  return t("ending.sentence", { winner, reason, score: ending.score });
}

/** Why a match ended or may end, with the limit of its game where that is a count. */
export function reasonText(reason: string, limit: number | null = null): string {
  if (reason === "threefold_repetition" || reason === "fivefold_repetition") {
    if (limit === 3) return t("ending.threefold");
    if (limit === 5) return t("ending.fivefold");
    return limit ? t("ending.repetition_count", { count: limit }) : t("ending.repetition");
  }
  if (reason === "fifty_moves" || reason === "seventyfive_moves") {
    return limit ? t("ending.quiet_count", { count: limit / 2 }) : t("ending.quiet");
  }
  return tOr(`ending.${reason}`, reason.replaceAll("_", " "));
}
