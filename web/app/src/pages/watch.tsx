import { api, at } from "../client";
import { t } from "../i18n";
import { Show, useFresh, useLoaded } from "../parts/loaded";
import { Card } from "../parts/match-card";
import { Page } from "../parts/page";

export function Watch() {
  const loaded = useLoaded(api.watch);
  useFresh(loaded);
  return (
    <Page title={t("watch.title")} lead={t("watch.lead")} wide>
      <Show loaded={loaded}>
        {(matches) =>
          matches.length === 0 ? (
            <div class="notice">
              <p>{t("watch.empty")}</p>
              <a class="button" href={at("/new")}>
                {t("nav.play")}
              </a>
            </div>
          ) : (
            <ul class="cards">
              {matches.map((match) => (
                <Card key={match.match} match={match} />
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}
