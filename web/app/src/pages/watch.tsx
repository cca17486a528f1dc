import { api } from "../client";
import { t } from "../i18n";
import { ArchivedRow } from "../parts/archived";
import { Empty } from "../parts/empty";
import { Show, useFresh, useLoaded } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Page } from "../parts/page";

/** The best matches in progress, the match of the day, and all others to watch. */
export function Watch() {
  const loaded = useLoaded(api.watch);
  const channels = useLoaded(api.tv);
  const day = useLoaded(api.matchOfTheDay);
  useFresh(loaded);
  useFresh(channels);
  const best = channels.value ?? [];
  return (
    <Page title={t("watch.title")} lead={t("watch.lead")} wide>
      {best.length > 0 && (
        <section aria-labelledby="tv">
          <h2 id="tv">{t("watch.tv")}</h2>
          <p class="muted">{t("watch.tv.help")}</p>
          <ul class="cards">
            {best.map(({ kind, card }) => (
              <Card key={kind} match={card} />
            ))}
          </ul>
        </section>
      )}
      {day.value && (
        <section aria-labelledby="match-of-the-day">
          <h2 id="match-of-the-day">{t("watch.day")}</h2>
          <p class="muted">{t("watch.day.help")}</p>
          <ul class="challenges">
            <ArchivedRow match={day.value.match} />
          </ul>
        </section>
      )}
      <Show loaded={loaded}>
        {(matches) =>
          matches.length === 0 ? (
            <Empty text={t("watch.empty")} path="/new" action={t("nav.play")} />
          ) : (
            <section aria-labelledby="all">
              <h2 id="all">{t("watch.all")}</h2>
              <ul class="cards">
                {matches.map((match) => (
                  <Card key={match.match} match={match} />
                ))}
              </ul>
            </section>
          )
        }
      </Show>
    </Page>
  );
}
