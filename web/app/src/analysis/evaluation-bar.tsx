import { t } from "../i18n";
import type { Evaluation, Side } from "../wire";
import { briefScore, scoreText } from "./judge";

/** Each side's winning chances as a bar, with White's part on White's side of the board. */
export function EvaluationBar({ score, below }: { score: Evaluation | null; below: Side }) {
  const white = score ? score.chance : 0.5;
  const label = score
    ? t("analysis.bar", { score: scoreText(score), percent: Math.round(white * 100) })
    : t("analysis.bar.none");
  return (
    <div class={`evaluation ${below}`} role="img" aria-label={label} title={label}>
      <div class="expected" style={{ "--white": String(white) }} />
      <span class={`figures ${white >= 0.5 ? "white" : "black"}`}>{score && briefScore(score)}</span>
    </div>
  );
}
