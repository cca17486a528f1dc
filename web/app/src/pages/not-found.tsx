import { at } from "../client";
import { t } from "../i18n";
import { Page } from "../parts/page";

export function NotFound() {
  return (
    <Page title={t("missing.title")} lead={t("missing.text")}>
      <a class="button primary" href={at("/")}>
        {t("missing.home")}
      </a>
    </Page>
  );
}
