import { t, tOr } from "../i18n";
import type { Ending, Snapshot } from "../wire";

/** Returns why a match ended and who won, with the score if the game scores unlike chess; to a player, "You won". */
export function endingText(ending: Ending, seat: Snapshot["seat"] = null): string {
  const reason = reasonText(ending.reason, ending.limit);
  if (ending.result === "*") return reason;
  const score = ending.score === ending.result ? "" : ` (${ending.score})`;
  if (ending.winner === null) return t("ending.draw", { winner: t("ending.drawn") + score, reason });
  const [won, loser] =
    ending.winner === "white"
      ? ([t("ending.white"), t("side.black")] as const)
      : ([t("ending.black"), t("side.white")] as const);
  const you =
    seat === "white" || seat === "black" ? t(seat === ending.winner ? "ending.you_won" : "ending.you_lost") : won;
  const lost = tOr(`ending.lost.${ending.reason}`, reason).replace("{loser}", loser);
  return t("ending.sentence", { winner: you + score, reason: lost.charAt(0).toUpperCase() + lost.slice(1) });
}

/** Returns the reason why a match ended or may end, with the game's limit if the reason is a count. */
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
