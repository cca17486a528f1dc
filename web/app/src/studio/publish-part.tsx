import { useState } from "preact/hooks";
import { at, type Refusal } from "../client";
import { ask } from "../client/api";
import { t } from "../i18n";
import { Later } from "../parts/later";
import { refusalText, Trouble, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { thrownRefusal } from "../refusal";
import type { PublishedGame, WhoPublishes } from "../wire";
import type { OpenDraft } from "./open-draft";

/** Publishes a game on this server, if its operator lets people do that. */
export function PublishPart({ draft }: { draft: OpenDraft }) {
  const who = useLoaded((signal) => ask<WhoPublishes>("/publishing", { signal })).value?.who ?? "nobody";
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const [published, setPublished] = useState<PublishedGame | "withdrawn" | null>(null);
  if (who === "nobody") return null;
  const attempt = async (work: () => Promise<PublishedGame | "withdrawn">) => {
    setBusy(true);
    setError(null);
    try {
      setPublished(await work());
    } catch (problem) {
      setError(thrownRefusal(problem));
    }
    setBusy(false);
  };
  const send = (path: string, body: object) =>
    ask<PublishedGame>(path, { method: "POST", seated: true, body: { ...body, token: token.trim() || null } });
  const { id } = draft.title.value;
  return (
    <>
      <h2>{t("studio.publish")}</h2>
      <p class="help">{t("studio.publish.help")}</p>
      {who === "tokens" && (
        <div class="field">
          <label for="publish-token">{t("studio.publish.token")}</label>
          <input
            id="publish-token"
            type="password"
            autocomplete="off"
            maxLength={100}
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </div>
      )}
      <div class="together">
        <button
          type="button"
          disabled={busy || !draft.sound.value}
          onClick={() => attempt(() => send("/published", { definition: draft.text.value }))}
        >
          {t("studio.publish.begin")}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={busy || !id}
          onClick={() =>
            attempt(async () => {
              await send(`/published/${encodeURIComponent(id)}/withdrawal`, {});
              return "withdrawn";
            })
          }
        >
          {t("studio.publish.withdraw")}
        </button>
      </div>
      {error && (
        <p class="fault" role="alert">
          {error.code === "definition" ? error.message : refusalText(error)}
        </p>
      )}
      {published === "withdrawn" && <p role="status">{t("studio.publish.withdrawn")}</p>}
      {published && published !== "withdrawn" && (
        <p role="status">
          {t("studio.publish.done", { count: published.versions.length })}{" "}
          <a href={at(`/learn/${encodeURIComponent(published.id)}`)}>{t("studio.publish.learn")}</a> ·{" "}
          <a href={at(`/new?game=${encodeURIComponent(published.id)}`)}>{t("studio.publish.play")}</a>
        </p>
      )}
      {published && published !== "withdrawn" && (
        <Later
          load={() => import("../studies/inventors-page").then((its) => its.ChooseStudy)}
          game={published.id}
          token={token.trim() || null}
        />
      )}
    </>
  );
}

/** Reports a published game to the operator of the server. */
export function ReportPage({ id }: { id: string }) {
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const send = (event: Event) => {
    event.preventDefault();
    setError(null);
    const body = { reason: reason.trim() };
    ask(`/published/${encodeURIComponent(id)}/reports`, { method: "POST", seated: true, body }).then(
      () => setDone(true),
      (problem: unknown) => setError(thrownRefusal(problem)),
    );
  };
  return (
    <Page title={t("studio.report")} lead={t("studio.report.lead")}>
      {done ? (
        <p role="status">{t("studio.report.done")}</p>
      ) : (
        <form onSubmit={send}>
          <div class="field">
            <label for="report">
              {t("studio.report.reason")} <code class="studio-key">{id.slice(0, 40)}</code>
            </label>
            <textarea
              id="report"
              rows={4}
              maxLength={500}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </div>
          {error && <Trouble error={error} />}
          <button type="submit" class="primary" disabled={!reason.trim()}>
            {t("studio.report.send")}
          </button>
        </form>
      )}
    </Page>
  );
}
