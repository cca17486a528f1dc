import { identity } from "../client";
import * as people from "../client/people";
import { count, language, t } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import type { FairPlayGame, Spread } from "../wire";

const SPREAD = ["lowest", "quarter", "median", "three_quarters", "highest"] as const;

/** How the moves of players compare with the engine's: those far from all others, and the others beside them. */
export function FairPlay() {
  const loaded = useLoaded(people.fairPlay, [identity.value?.token]);
  return (
    <section aria-labelledby="fair-play">
      <h2 id="fair-play">{t("fair.title")}</h2>
      <p>{t("fair.help")}</p>
      <Show loaded={loaded}>
        {({ on, games }) => (
          <>
            {!on && <p class="muted">{t("fair.off")}</p>}
            {games.length === 0 && <p class="muted">{t("fair.none")}</p>}
            {games.map((one) => (
              <OfGame key={one.game} of={one} />
            ))}
          </>
        )}
      </Show>
    </section>
  );
}

function OfGame({ of: { name, players, share, loss, outliers } }: { of: FairPlayGame }) {
  const percent = new Intl.NumberFormat(language.value, { style: "percent" });
  const pawns = new Intl.NumberFormat(language.value, { maximumFractionDigits: 0 });
  const row = (which: keyof Spread) => (
    <tr key={which} class="muted">
      <th scope="row">{t(`fair.${which}`)}</th>
      <td />
      <td class="number">{percent.format(share[which])}</td>
      <td class="number">{pawns.format(loss[which])}</td>
    </tr>
  );
  return (
    <>
      <h3>{name}</h3>
      <p>
        {outliers.length > 0 ? count("fair.outliers", outliers.length) : t("fair.outliers.none")}{" "}
        <span class="muted">{count("fair.players", players)}</span>
      </p>
      <div class="scrolls">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{t("fair.player")}</th>
              <th scope="col" class="number">
                {t("fair.matches")}
              </th>
              <th scope="col" class="number">
                {t("fair.share")}
              </th>
              <th scope="col" class="number">
                {t("fair.loss")}
              </th>
            </tr>
          </thead>
          <tbody>
            {outliers.map((one) => (
              <tr key={one.name}>
                <th scope="row">
                  <Name name={one.name} profile={one.name} />
                </th>
                <td class="number">
                  {one.matches} ({one.positions})
                </td>
                <td class="number">{percent.format(one.share)}</td>
                <td class="number">{pawns.format(one.loss)}</td>
              </tr>
            ))}
          </tbody>
          <tbody>{SPREAD.map(row)}</tbody>
        </table>
      </div>
    </>
  );
}
