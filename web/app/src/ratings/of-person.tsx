import { useState } from "preact/hooks";
import { curveOf, type PoolKey, ratingsOf } from "../client/ratings";
import { count, t } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { ratingText } from "../parts/rating";
import type { PoolRating } from "../wire";
import { Curve } from "./curve";
import { poolName } from "./pool";
import "../style/ratings.css";

/** The ratings of a person, and the curve of the one that was pressed. */
export function RatingsOf({ name }: { name: string }) {
  const loaded = useLoaded((signal) => ratingsOf(name, signal), [name]);
  return (
    <Show loaded={loaded}>
      {({ pools }) =>
        pools.length === 0 ? <p class="muted">{t("ratings.none")}</p> : <Pools name={name} pools={pools} />
      }
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

function CurveOf({ name, pool }: { name: string; pool: PoolKey }) {
  const loaded = useLoaded((signal) => curveOf(name, pool, signal), [name, pool.game, pool.speed]);
  return <Show loaded={loaded}>{(points) => <Curve points={points} />}</Show>;
}
