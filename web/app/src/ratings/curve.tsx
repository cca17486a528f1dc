import { language, t } from "../i18n";
import type { RatingPoint } from "../wire";

const [WIDTH, HEIGHT] = [640, 200];

/** The rating over time. What it shows is in its label too. */
export function Curve({ points }: { points: RatingPoint[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const ratings = points.map(({ rating }) => rating);
  // Whole hundreds around the curve.
  const low = Math.floor((Math.min(...ratings) - 10) / 100) * 100;
  const high = Math.ceil((Math.max(...ratings) + 10) / 100) * 100;
  const x = (at: number) => (last.at === first.at ? 0 : ((at - first.at) / (last.at - first.at)) * WIDTH);
  const y = (rating: number) => ((high - rating) / (high - low)) * HEIGHT;
  const lines = Array.from({ length: (high - low) / 100 + 1 }, (_, number) => low + number * 100);
  const dates = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
  const line = points.map(({ at, rating }) => `${x(at).toFixed(1)} ${y(rating).toFixed(1)}`).join("L");
  const label = t("ratings.curve", {
    from: first.rating,
    since: dates.format(first.at),
    to: last.rating,
    until: dates.format(last.at),
    lowest: Math.min(...ratings),
    highest: Math.max(...ratings),
  });
  return (
    <figure class="curve">
      <div class="curve-scale figures small muted" aria-hidden="true">
        {lines.map((rating) => (
          <span key={rating} style={{ top: `${(y(rating) / HEIGHT) * 100}%` }}>
            {rating}
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {lines.map((rating) => (
          <path key={rating} class="grid" d={`M0 ${y(rating)}H${WIDTH}`} vector-effect="non-scaling-stroke" />
        ))}
        <path
          class="line"
          d={`M${line}${points.length === 1 ? `L${WIDTH} ${y(last.rating)}` : ""}`}
          vector-effect="non-scaling-stroke"
        />
      </svg>
      <figcaption class="muted small">
        <span>{dates.format(first.at)}</span>
        <span>{dates.format(last.at)}</span>
      </figcaption>
    </figure>
  );
}
