import { t, tOr } from "../i18n";
import type { Ending } from "../wire";

/** How a match ended, in a sentence: the result, then why. */
export function endingText(ending: Ending): string {
  const reason = tOr(`ending.${ending.reason}`, ending.reason.replaceAll("_", " "));
  if (ending.result === "*") return reason;
  const winner =
    ending.winner === null ? t("ending.drawn") : t(ending.winner === "white" ? "ending.white" : "ending.black");
  return t("ending.sentence", { winner, reason, score: ending.score });
}
