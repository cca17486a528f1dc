import { useState } from "preact/hooks";
import { Refusal } from "../client";
import { stopMails } from "../client/notifications";
import { t } from "../i18n";
import { Trouble } from "../parts/loaded";
import { Page } from "../parts/page";
import { thrownRefusal } from "../refusal";

/** Stops mails about matches and messages, without a sign-in: by a button, since programs follow the links in mails. */
export function Stop() {
  const [state, setState] = useState<"asked" | "done" | Refusal>("asked");
  const stop = () =>
    stopMails(location.hash.slice(1)).then(
      () => setState("done"),
      (error) => setState(thrownRefusal(error)),
    );
  return (
    <Page title={t("stop.title")}>
      <p role="status">{t(state === "done" ? "stop.done" : "stop.text")}</p>
      {state !== "done" && (
        <p>
          <button type="button" class="strong" onClick={stop}>
            {t("stop.button")}
          </button>
        </p>
      )}
      {state instanceof Refusal && <Trouble error={state} />}
    </Page>
  );
}
