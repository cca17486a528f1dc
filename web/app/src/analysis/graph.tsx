import { t } from "../i18n";
import { graphPoints, scoreText } from "./judge";
import type { Opened } from "./opened";
import type { Review } from "./review";
import { nodeOf, START } from "./tree";

const [WIDTH, HEIGHT] = [320, 72];

/** White's winning chances over the game. Pressing goes to the move there, and arrow keys step. */
export function Graph({ study, review, total }: { study: Opened; review: Review; total: number }) {
  const found = review.found.value;
  const line = review.line.value;
  const x = (move: number) => (move / Math.max(1, total)) * WIDTH;
  const points = graphPoints(found).map((point) => ({ x: x(point.x), y: point.y * HEIGHT }));
  const outline = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L");
  const place = line.indexOf(study.at.value);
  const goTo = (move: number) => {
    const node = line[Math.max(0, Math.min(total, move))];
    if (node !== undefined) study.goTo(node);
  };
  const here = found[place];
  const made = nodeOf(study.tree.value, line[place] ?? START);
  const score = here ? scoreText(here.score) : "–";
  return (
    <div class="graph">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width={WIDTH} height={HEIGHT} />
        {points.length > 1 && (
          <path class="white" d={`M0 ${HEIGHT}L${outline}L${points.at(-1)?.x.toFixed(1)} ${HEIGHT}z`} />
        )}
        <path class="middle" d={`M0 ${HEIGHT / 2}H${WIDTH}`} vector-effect="non-scaling-stroke" />
        {points.length > 1 && <path class="outline" d={`M${outline}`} vector-effect="non-scaling-stroke" />}
        {place >= 0 && <path class="here" d={`M${x(place)} 0V${HEIGHT}`} vector-effect="non-scaling-stroke" />}
      </svg>
      {[...review.marks.value].map(([node, mark]) => {
        const move = line.indexOf(node);
        const point = points[move];
        return (
          point && (
            <i
              key={node}
              class={mark.verdict}
              style={{ left: `${(point.x / WIDTH) * 100}%`, top: `${(point.y / HEIGHT) * 100}%` }}
            />
          )
        );
      })}
      <input
        type="range"
        min={0}
        max={total}
        value={Math.max(0, place)}
        aria-label={t("analysis.graph")}
        aria-valuetext={
          place > 0
            ? t("analysis.graph.at", { number: made.turn, side: t(`side.${made.side}`), score })
            : t("analysis.graph.start", { score })
        }
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
    </div>
  );
}
