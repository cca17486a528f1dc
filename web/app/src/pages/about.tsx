import { t } from "../i18n";
import { Page } from "../parts/page";
import { YourData } from "./your-data";

const artists = ["Caro Asercion", "Cathelineau", "Delapouite", "GeneralAce135", "Lorc", "Skoll"];

export function About() {
  return (
    <Page title={t("about.title")} lead={t("about.lead")}>
      <p>{t("about.name")}</p>
      <h2>{t("about.games")}</h2>
      <p>{t("about.games.text")}</p>
      <h2>{t("about.art")}</h2>
      <p>
        {t("about.art.text", { artists: new Intl.ListFormat(document.documentElement.lang).format(artists) })}{" "}
        <a href="https://game-icons.net" rel="noreferrer">
          game-icons.net
        </a>
        ,{" "}
        <a href="https://creativecommons.org/licenses/by/3.0/" rel="noreferrer license">
          CC BY 3.0
        </a>
        . {t("about.art.changes")}
      </p>
      <p>
        {t("about.icons")}{" "}
        <a href="https://lucide.dev" rel="noreferrer">
          lucide
        </a>
        , ISC.
      </p>
      <h2>{t("about.licence")}</h2>
      <p>
        {t("about.licence.text")}{" "}
        <a href="https://www.apache.org/licenses/LICENSE-2.0" rel="noreferrer license">
          Apache License 2.0
        </a>
        .
      </p>
      <YourData />
    </Page>
  );
}
