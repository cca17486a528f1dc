import { t } from "../i18n";
import { ratingText } from "../parts/rating";
import type { PuzzleChange } from "../wire";

const signed = (points: number): string => (points < 0 ? `\u2212${-points}` : `+${points}`);

/** What an attempt has done to one's rating, and the puzzle's rating. */
export function RatingChange({ of }: { of: PuzzleChange }) {
  return (
    <p class="puzzle-rating figures" role="status">
      {t("puzzles.rating")} <strong>{ratingText(of)}</strong>{" "}
      <span class={of.change < 0 ? "fall" : "rise"}>{signed(of.change)}</span>{" "}
      <span class="muted">{t("puzzles.rating.puzzle", { rating: of.puzzle })}</span>
    </p>
  );
}
