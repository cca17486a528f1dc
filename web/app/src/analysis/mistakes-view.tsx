import { GraduationCap } from "lucide";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { San } from "../parts/notation";
import { Mistakes, mistakesOf } from "./mistakes";
import type { Opened } from "./opened";
import type { Review } from "./review";
import { nodeOf } from "./tree";

/** Begins to learn from the mistakes of the side at the bottom. */
export function MistakesView({ study, review }: { study: Opened; review: Review }) {
  const job = review.job.value;
  const done = job !== null && job.done >= job.total;
  const side = study.saved.value.orientation;
  const nodes = done ? mistakesOf(study, review, side) : [];
  const begin = () => {
    review.mistakes.value = new Mistakes(study, review, side, nodes);
  };
  const wanted = review.wantsMistakes.value && done;
  useEffect(() => {
    if (!wanted) return;
    review.wantsMistakes.value = false;
    if (nodes.length > 0) begin();
  }, [wanted]);
  if (!done || review.mistakes.value) return null;
  if (nodes.length === 0) return <p class="small muted">{t("mistakes.none")}</p>;
  return (
    <button type="button" class="wide-button" onClick={begin}>
      <Icon of={GraduationCap} size={18} /> {t("mistakes.begin", { count: nodes.length })}
    </button>
  );
}

/** Leads through them, one at a time. */
export function Lesson({ mistakes, study, review }: { mistakes: Mistakes; study: Opened; review: Review }) {
  const [phase, place] = [mistakes.phase.value, mistakes.place.value];
  const mark = review.marks.value.get(mistakes.node.value);
  const { san } = nodeOf(study.tree.value, mistakes.node.value);
  const last = place + 1 >= mistakes.nodes.length;
  const end = () => {
    review.mistakes.value = null;
  };
  return (
    <section class="mistakes" aria-label={t("mistakes")}>
      <p class="small muted figures">{t("mistakes.place", { place: place + 1, count: mistakes.nodes.length })}</p>
      <p role="status">
        {phase === "find" && (
          <San of={t(mistakes.side === "white" ? "mistakes.find.white" : "mistakes.find.black", { san })} />
        )}
        {phase === "judging" && t("waiting")}
        {phase === "wrong" && t("mistakes.wrong")}
        {phase === "right" && t("mistakes.right")}
        {phase === "shown" && <San of={t("analysis.best", { san: mark?.san ?? "" })} />}
      </p>
      <div class="together">
        {mistakes.secret.value && (
          <button type="button" onClick={() => mistakes.show()}>
            {t("puzzle.show")}
          </button>
        )}
        {!last && (
          <button
            type="button"
            class={mistakes.secret.value ? "quiet" : "primary"}
            onClick={() => mistakes.go(place + 1)}
          >
            {t("mistakes.next")}
          </button>
        )}
        <button type="button" class="quiet" onClick={end}>
          {t("mistakes.end")}
        </button>
      </div>
    </section>
  );
}
