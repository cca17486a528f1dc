import { useState } from "preact/hooks";
import { curveOf, type PoolKey, puzzleCurveOf, ratingsOf } from "../client/ratings";
import { count, t } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { ratingText } from "../parts/rating";
import type { PoolRating, PuzzlesRating } from "../wire";
import { Curve } from "./curve";
import { poolName } from "./pool";
import "../style/ratings.css";

/** The ratings of a person, and the curve of the one that was pressed. */
export function RatingsOf({ name }: { name: string }) {
  const loaded = useLoaded((signal) => ratingsOf(name, signal), [name]);
  return (
    <Show loaded={loaded}>
      {({ pools, puzzles }) => (
        <>
          {pools.length === 0 ? <p class="muted">{t("ratings.none")}</p> : <Pools name={name} pools={pools} />}
          {puzzles.length > 0 && <Puzzles name={name} puzzles={puzzles} />}
        </>
      )}
    </Show>
  );
}

function Pools({ name, pools }: { name: string; pools: PoolRating[] }) {
  const [shown, setShown] = useState<PoolKey | undefined>(pools[0]);
  return (
    <>
      <ul class="pools plain">
        {pools.map((pool) => (
          <li key={`${pool.game}/${pool.speed}`}>
            <button
              type="button"
              class="quiet"
              aria-pressed={shown?.game === pool.game && shown.speed === pool.speed}
              onClick={() => setShown(pool)}
            >
              <span>{poolName(pool)}</span>
              <strong class="figures">{ratingText(pool)}</strong>
              <span class="muted small figures">
                {count("match.games", pool.wins + pool.draws + pool.losses)} · {pool.wins} / {pool.draws} /{" "}
                {pool.losses}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <CurveOf name={name} pool={shown} />}
    </>
  );
}

/** The ratings in puzzles, and the curve of that of all. */
function Puzzles({ name, puzzles }: { name: string; puzzles: PuzzlesRating[] }) {
  const loaded = useLoaded((signal) => puzzleCurveOf(name, signal), [name, puzzles]);
  return (
    <section aria-labelledby="puzzle-ratings">
      <h3 id="puzzle-ratings">{t("puzzles.title")}</h3>
      <ul class="pools plain">
        {puzzles.map((one) => (
          <li key={one.theme} class="pool">
            <span>{t(`puzzles.theme.${one.theme ?? "any"}`)}</span>
            <strong class="figures">{ratingText(one)}</strong>
            <span class="muted small figures">
              {t("puzzles.found", { solved: one.solved, count: one.solved + one.failed })}
            </span>
          </li>
        ))}
      </ul>
      <Show loaded={loaded}>{(points) => <Curve points={points} />}</Show>
    </section>
  );
}

function CurveOf({ name, pool }: { name: string; pool: PoolKey }) {
  const loaded = useLoaded((signal) => curveOf(name, pool, signal), [name, pool.game, pool.speed]);
  return <Show loaded={loaded}>{(points) => <Curve points={points} />}</Show>;
}
