import { useState } from "preact/hooks";
import type { Refusal } from "../client";
import * as people from "../client/people";
import { t } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Trouble } from "../parts/loaded";
import "../style/people.css";

/** Reports a person, a line of chat or a message to the moderators, and blocks its author. */
export function ReportDialog({
  who,
  name,
  text,
  message = null,
  close,
}: {
  who: string;
  name: string;
  text?: string;
  message?: number | null;
  close: () => void;
}) {
  const [done, setDone] = useState<"report.done" | "report.blocked" | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const tell = (event: Event) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget as HTMLFormElement).get("reason") ?? "").trim();
    if (reason) people.report({ who, reason, message }).then(() => setDone("report.done"), setError);
  };
  const block = () => people.put("blocks", who).then(() => setDone("report.blocked"), setError);
  return (
    <Dialog title={t("report.title", { name })} close={close}>
      {text && <blockquote>{text}</blockquote>}
      {error && <Trouble error={error} />}
      {done && <p role="status">{t(done)}</p>}
      {done !== "report.done" && (
        <form onSubmit={tell}>
          <div class="field">
            <label for="reason">{t("report.reason")}</label>
            <textarea id="reason" name="reason" rows={3} maxLength={300} required />
          </div>
          <p class="together">
            <button type="submit" class="primary">
              {t("report.send")}
            </button>
            {done !== "report.blocked" && (
              <button type="button" onClick={block}>
                {t("report.block")}
              </button>
            )}
          </p>
        </form>
      )}
      <p>
        <button type="button" class="quiet" onClick={close}>
          {t("close")}
        </button>
      </p>
    </Dialog>
  );
}
