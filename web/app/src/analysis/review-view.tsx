import { ChartSpline } from "lucide";
import { count, t } from "../i18n";
import { isLocal } from "../local/id";
import { Icon } from "../parts/icon";
import { refusalText } from "../parts/loaded";
import { San } from "../parts/notation";
import type { Side } from "../wire";
import { Graph } from "./graph";
import { scoreText, type Verdict } from "./judge";
import { MistakesView } from "./mistakes-view";
import type { Opened } from "./opened";
import type { Review } from "./review";
import { mainline, nodeOf } from "./tree";

/** The review of the whole game: the button that begins it, its progress, the graph, and the mark of the move shown. */
export function ReviewView({ study, review }: { study: Opened; review: Review }) {
  const job = review.job.value;
  const moves = mainline(study.tree.value).length - 1;
  const mark = review.marks.value.get(study.at.value);
  const going = job && job.done < job.total;
  const counted = (side: Side, name: Verdict) =>
    [...review.marks.value].filter(
      ([node, found]) => found.verdict === name && nodeOf(study.tree.value, node).side === side,
    ).length;
  const here = review.findingOf(study.at.value);
  const secret = review.mistakes.value?.secret.value ?? false;
  if (moves === 0) return null;
  return (
    <section class="review" aria-label={t("analysis.review")}>
      {review.error.value && (
        <p class="muted small" role="alert">
          {refusalText(review.error.value)}
        </p>
      )}
      {job && <Graph study={study} review={review} total={job.total - 1} />}
      {going && (
        <p class="small muted progress">
          <progress max={job.total} value={job.done} aria-label={t("analysis.review.going")} />
          <span class="figures">
            {t(isLocal(job.job) ? "analysis.review.here.progress" : "analysis.review.progress", {
              done: job.done,
              total: job.total,
            })}
          </span>
        </p>
      )}
      <MistakesView study={study} review={review} />
      {mark && !secret && (
        <p class={`verdict ${mark.verdict}`} role="status">
          <span>
            <strong>{t(`analysis.${mark.verdict}`)}</strong>{" "}
            <San of={t("analysis.best", { san: firstTurn(mark.san) })} />
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() => study.showLine(mark.best, nodeOf(study.tree.value, study.at.value).parent)}
          >
            {t("analysis.best.show")}
          </button>
        </p>
      )}
      {job && !going && !mark && (
        <div class="small muted">
          {(["white", "black"] as const).map((side) => (
            <p key={side} class={`of-${side}`}>
              {t("analysis.review.of", {
                name: study.saved.value.tags[side === "white" ? "White" : "Black"] || t(`side.${side}`),
                counts: [
                  count("analysis.blunders", counted(side, "blunder")),
                  count("analysis.mistakes", counted(side, "mistake")),
                  count("analysis.inaccuracies", counted(side, "inaccuracy")),
                ].join(", "),
              })}
            </p>
          ))}
          {here && <p>{t("analysis.review.here", { score: scoreText(here.score) })}</p>}
        </div>
      )}
      {(!job || review.stale.value) && (
        <button type="button" class="wide-button" onClick={() => review.begin()}>
          <Icon of={ChartSpline} size={18} /> {t(job ? "analysis.review.again" : "analysis.review.begin")}
        </button>
      )}
    </section>
  );
}

/** The first turn of a line in SAN, without its number. */
function firstTurn(san: string): string {
  return san.split(" ")[0]?.replace(/^\d+\.+/, "") ?? "";
}
