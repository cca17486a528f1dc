import { useState } from "preact/hooks";
import { identity, type Refusal } from "../client";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { Trouble } from "../parts/loaded";

/** Reports a study to the moderators. */
export function Report({ study, title }: { study: string; title: string }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  if (!identity.value) return null;
  if (done) return <p role="status">{t("report.done")}</p>;
  if (!open)
    return (
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {t("study.report")}
      </button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
        if (reason) studies.report(study, reason).then(() => setDone(true), setError);
      }}
    >
      {error && <Trouble error={error} />}
      <label for="study-reason">{t("report.title", { name: title })}</label>
      <textarea id="study-reason" name="reason" rows={3} maxLength={300} required placeholder={t("report.reason")} />
      <button type="submit">{t("report.send")}</button>
    </form>
  );
}
