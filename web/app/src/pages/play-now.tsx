import { api } from "../client";
import * as house from "../client/house";
import { t } from "../i18n";
import { HouseEntry } from "../parts/house";
import { Show, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { QuickChoices } from "../parts/quick-choices";

/** Play now, and the house engines. */
export function PlayPage() {
  const loaded = useLoaded(api.games);
  const engines = useLoaded(house.engines);
  return (
    <Page title={t("quick")}>
      <div class="in-order">
        <Show loaded={loaded}>{(games) => <QuickChoices games={games} />}</Show>
        <section class="more">
          <h2>{t("engines")}</h2>
          <p>{t("engines.lead")}</p>
          <Show loaded={engines}>
            {(engines) => (
              <ul class="challenges">
                {engines.map((engine) => (
                  <HouseEntry key={engine.id} engine={engine} />
                ))}
              </ul>
            )}
          </Show>
        </section>
      </div>
    </Page>
  );
}
