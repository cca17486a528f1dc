import { Bot } from "lucide";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, identity } from "../client";
import { highest, type PoolKey, pools } from "../client/ratings";
import { count, t } from "../i18n";
import { Icon } from "../parts/icon";
import { Show, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { RatingsOf } from "../ratings/of-person";
import { poolName } from "../ratings/pool";
import type { Pool } from "../wire";

/** One's own ratings, the highest of each game, and what the numbers mean. */
export function Ratings() {
  const loaded = useLoaded(pools);
  const who = identity.value;
  return (
    <Page title={t("ratings.title")} lead={t("ratings.lead")}>
      <div class="in-order">
        <section aria-labelledby="own-ratings">
          <h2 id="own-ratings">{t("ratings.own")}</h2>
          {who?.account ? (
            <RatingsOf name={who.name} />
          ) : (
            <p>
              {t("ratings.guest")} <a href={at("/account")}>{t("account.title")}</a>
            </p>
          )}
        </section>
        <section aria-labelledby="highest-ratings">
          <h2 id="highest-ratings">{t("ratings.highest")}</h2>
          <Show loaded={loaded}>
            {(pools) => (pools.length === 0 ? <p class="muted">{t("ratings.empty")}</p> : <Lists pools={pools} />)}
          </Show>
        </section>
        <Explained />
      </div>
    </Page>
  );
}

function Lists({ pools }: { pools: Pool[] }) {
  const { query } = useLocation();
  const asked = pools.findIndex(({ game, speed }) => game === query.game && speed === (query.speed ?? "live"));
  const [place, setPlace] = useState(Math.max(0, asked));
  const pool = pools[place];
  return (
    <>
      <div class="field">
        <label for="pool">{t("new.game")}</label>
        <select id="pool" value={place} onChange={(event) => setPlace(Number(event.currentTarget.value))}>
          {pools.map((pool, number) => (
            <option key={poolName(pool)} value={number}>
              {poolName(pool)} ({pool.people})
            </option>
          ))}
        </select>
      </div>
      {pool && <Highest pool={pool} />}
    </>
  );
}

function Highest({ pool }: { pool: PoolKey }) {
  const loaded = useLoaded((signal) => highest(pool, signal), [pool.game, pool.speed]);
  return (
    <Show loaded={loaded}>
      {(ranked) =>
        ranked.length === 0 ? (
          <p class="muted">{t("ratings.provisional.all")}</p>
        ) : (
          <table class="ranked figures">
            <thead>
              <tr>
                <th scope="col" class="number">
                  {t("ratings.place")}
                </th>
                <th scope="col">{t("ratings.name")}</th>
                <th scope="col" class="number">
                  {t("ratings.rating")}
                </th>
                <th scope="col" class="number">
                  {t("ratings.games")}
                </th>
              </tr>
            </thead>
            <tbody>
              {ranked.map((one) => (
                <tr key={one.name} class={one.you ? "you" : undefined}>
                  <td class="number">{one.place}</td>
                  <th scope="row">
                    {one.house ? (
                      <a href={at(`/engines/${one.house}`)}>
                        {one.name} <Icon of={Bot} size={18} />
                      </a>
                    ) : (
                      <Name name={one.name} profile={one.name} />
                    )}
                    {one.you && <span class="mark">{t("ratings.you")}</span>}
                  </th>
                  <td class="number">{one.rating}</td>
                  <td class="number">{one.games}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Show>
  );
}

/** What the numbers mean. */
function Explained() {
  return (
    <section aria-labelledby="ratings-explained">
      <h2 id="ratings-explained">{t("ratings.explained")}</h2>
      <p>{t("ratings.explained.start")}</p>
      <p>{t("ratings.explained.difference")}</p>
      <table class="ranked figures">
        <thead>
          <tr>
            <th scope="col" class="number">
              {t("ratings.explained.points")}
            </th>
            <th scope="col" class="number">
              {t("ratings.explained.expected")}
            </th>
          </tr>
        </thead>
        <tbody>
          {[0, 50, 100, 200, 400].map((points) => (
            <tr key={points}>
              <td class="number">{points}</td>
              <td class="number">{count("ratings.explained.score", Math.round(100 / (1 + 10 ** (-points / 400))))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t("ratings.explained.provisional")}</p>
      <p>{t("ratings.explained.pools")}</p>
      <p>{t("ratings.explained.counted")}</p>
      <p>{t("ratings.explained.puzzles")}</p>
      <p>
        <a href="http://www.glicko.net/glicko/glicko2.pdf" rel="noopener">
          {t("ratings.explained.system")}
        </a>
      </p>
    </section>
  );
}
