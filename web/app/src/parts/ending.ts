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
      ? ([t("ending.white_wins"), t("side.black")] as const)
      : ([t("ending.black_wins"), t("side.white")] as const);
  const you =
    seat === "white" || seat === "black" ? t(seat === ending.winner ? "ending.you_won" : "ending.you_lost") : won;
  const lost = tOr(`ending.${ending.reason}_lost`, reason).replace("{loser}", loser);
  return t("ending.sentence", { winner: you + score, reason: lost.charAt(0).toUpperCase() + lost.slice(1) });
}

/** Returns the reason why a match ended or may end, with the game's limit if the reason is a count. */
export function reasonText(reason: string, limit: number | null = null): string {
  const plain = tOr(`ending.${reason}`, reason.replaceAll("_", " "));
  if (!limit) return plain;
  const counted = tOr(`ending.${reason}_${limit}`, tOr(`ending.${reason}_n`, plain));
  return counted.replace("{count}", String(limit)).replace("{moves}", String(limit / 2));
}
