import { api } from "../client";
import { t } from "../i18n";
import { Empty } from "../parts/empty";
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
            <Empty text={t("watch.empty")} path="/new" action={t("nav.play")} />
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
