import { Download } from "lucide";
import { useState } from "preact/hooks";
import { api, identity, type Refusal, signedIn, signedOut } from "../client";
import { fileOf } from "../client/files";
import { t } from "../i18n";
import { Dialog } from "../parts/dialog";
import { download } from "../parts/download";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import { Trouble, useLoaded } from "../parts/loaded";
import type { Confirmation, Deletion, Kept } from "../wire";

/** Downloads a file of the guest. */
async function take(path: string, name: string): Promise<void> {
  download(await fileOf(`/me/${path}`, true), name);
}

/** Deletes everything that the server has of the person; this browser returns to its guest, if it has one. */
async function forget(confirmation?: Confirmation): Promise<void> {
  const { id } = await api.me();
  await api.ask<void>("/me/deletion", {
    method: "POST",
    body: { id, ...confirmation } satisfies Partial<Deletion>,
  });
  signedOut();
}

/** What is stored of people, where and how long; and how to take it away and to have it deleted. */
export function YourData() {
  const kept = useLoaded((signal) => api.ask<Kept>("/privacy", { signal })).value;
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const days = {
    unplayed: kept?.unplayed ?? "…",
    analyses: kept?.analyses ?? "…",
    unused: kept?.unused ?? "…",
    reports: kept?.reports ?? "…",
  };
  const run = (action: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    action()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <section aria-labelledby="privacy">
      <h2 id="privacy">{t("data.title")}</h2>
      <p>{t("data.lead")}</p>
      <h3>{t("data.server")}</h3>
      <ul>
        <li>{t("data.guest", days)}</li>
        <li>{t("data.matches", days)}</li>
        <li>{t("data.people", days)}</li>
        <li>{t("data.analyses", days)}</li>
        <li>{t("data.published")}</li>
      </ul>
      <p>{t("data.public")}</p>
      <p>{t("data.backups")}</p>
      <h3>{t("data.browser")}</h3>
      <p>{t("data.browser.text")}</p>
      {identity.value && (
        <>
          <h3>{t("data.yours")}</h3>
          <p>{t("data.yours.text", { name: identity.value.name })}</p>
          <div class="together">
            <button type="button" disabled={busy} onClick={() => run(() => take("data", "acedrex-data.json"))}>
              <Icon of={Download} /> {t("data.take")}
            </button>
            <button type="button" disabled={busy} onClick={() => run(() => take("data/pgn", "acedrex-data.pgn"))}>
              <Icon of={Download} /> {t("data.take.pgn")}
            </button>
            <button
              type="button"
              disabled={busy}
              onClick={() =>
                run(() =>
                  api
                    .me()
                    .then((person) => signedIn(person))
                    .then(() => setAsking(true)),
                )
              }
            >
              {t("data.delete")}
            </button>
          </div>
        </>
      )}
      <p role="status">{done ? t("data.deleted") : busy && t("data.busy")}</p>
      {error && <Trouble error={error} />}
      {asking && identity.value?.account && (
        <Later
          load={() => import("./account-owner").then((its) => its.OwnerDialog)}
          title={t("data.delete.title")}
          text={`${t("data.delete.text")} ${t("data.delete.final")}`}
          action="data.delete.yes"
          purpose="deletion"
          act={(confirmation) => forget(confirmation).then(() => setDone(true))}
          close={() => setAsking(false)}
        />
      )}
      {asking && !identity.value?.account && (
        <Dialog title={t("data.delete.title")} close={() => setAsking(false)}>
          <p>{t("data.delete.text")}</p>
          <p>{t("data.delete.final")}</p>
          <div class="together">
            <button
              type="button"
              onClick={() => {
                setAsking(false);
                run(() => forget().then(() => setDone(true)));
              }}
            >
              {t("data.delete.yes")}
            </button>
            <button type="button" class="quiet" onClick={() => setAsking(false)}>
              {t("data.delete.no")}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
