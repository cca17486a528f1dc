import { ArchiveRestore, FileUp, Plus, Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { MAX_DEFINITION } from "../../../core/src/limits.ts";
import { api, at } from "../client";
import { theCore } from "../core";
import { language, t } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { all, create, draftStore, fits, type StoredDraft, titleOf } from "./drafts";
import type { Shared } from "./share";
import { copyOf, SMALL } from "./templates";

/** The drafts of this browser, and what a new one starts from. A text from a link is asked about before it is saved. */
export function List({ shared, spoilt }: { shared: Shared | null; spoilt: boolean }) {
  const { route } = useLocation();
  const [drafts, setDrafts] = useState<StoredDraft[]>([]);
  const [fault, setFault] = useState<"studio.no_storage" | "studio.file.large" | "studio.trouble.core" | null>(null);
  const refresh = () =>
    all().then(setDrafts, () => {
      setFault("studio.no_storage");
    });
  useEffect(() => void refresh(), []);
  const open = (texts: Shared) =>
    create(texts).then(
      (id) => route(at(`/studio/${id}`)),
      () => setFault("studio.no_storage"),
    );
  const take = async (file: File | undefined) => {
    if (!file) return;
    const text = file.size > MAX_DEFINITION ? null : await file.text();
    if (text !== null && fits(text)) await open({ text });
    else setFault("studio.file.large");
  };
  const put = (draft: StoredDraft) => draftStore.save(draft).then(refresh, () => setFault("studio.no_storage"));
  const [kept, thrown] = [drafts.filter((draft) => !draft.thrown), drafts.filter((draft) => draft.thrown)];
  return (
    <Page title={t("studio.title")} lead={t("studio.lead")}>
      {spoilt && (
        <p class="fault" role="alert">
          {t("problem.spoilt_link")}
        </p>
      )}
      {fault && (
        <p class="fault" role="alert">
          {t(fault)}
        </p>
      )}
      {shared !== null && <FromLink shared={shared} open={open} close={() => route(at("/studio"), true)} />}
      <h2>{t("studio.new")}</h2>
      <div class="together field">
        <button type="button" class="primary" onClick={() => open({ text: SMALL })}>
          <Icon of={Plus} size={18} /> {t("studio.new.small")}
        </button>
        <label class="button">
          <Icon of={FileUp} size={18} /> {t("studio.new.file")}
          <input
            type="file"
            class="hidden"
            accept=".toml,text/plain,application/toml"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
        </label>
      </div>
      <Copies open={open} fail={() => setFault("studio.trouble.core")} />
      {kept.length > 0 && (
        <>
          <h2>{t("studio.drafts")}</h2>
          <p class="help">{t("studio.drafts.help")}</p>
          <ul class="plain">
            {kept.map((draft) => (
              <Entry key={draft.id} draft={draft}>
                <button
                  type="button"
                  class="quiet"
                  aria-label={t("studio.throw", { name: nameOf(draft) })}
                  title={t("studio.throw", { name: nameOf(draft) })}
                  onClick={() => put({ ...draft, thrown: true })}
                >
                  <Icon of={Trash2} size={18} />
                </button>
              </Entry>
            ))}
          </ul>
        </>
      )}
      {thrown.length > 0 && (
        <details>
          <summary>{t("studio.thrown")}</summary>
          <ul class="plain">
            {thrown.map((draft) => (
              <Entry key={draft.id} draft={draft}>
                <button type="button" class="quiet" onClick={() => put({ ...draft, thrown: false })}>
                  <Icon of={ArchiveRestore} size={18} /> {t("studio.restore")}
                </button>
                <button type="button" class="quiet" onClick={() => draftStore.remove(draft.id).then(refresh)}>
                  {t("studio.delete")}
                </button>
              </Entry>
            ))}
          </ul>
        </details>
      )}
    </Page>
  );
}

function nameOf({ text }: StoredDraft): string {
  const { name, id } = titleOf(text);
  return name || id || t("studio.unnamed");
}

function Entry({ draft, children }: { draft: StoredDraft; children: ComponentChildren }) {
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  return (
    <li class="saved">
      <a href={at(`/studio/${draft.id}`)}>{nameOf(draft)}</a>
      <span class="muted small">{date.format(draft.changed)}</span>
      {children}
    </li>
  );
}

/** A shipped game, of which a copy can be changed. */
function Copies({ open, fail }: { open: (texts: Shared) => void; fail: () => void }) {
  const [ids, setIds] = useState<string[]>([]);
  const [chosen, choose] = useState("chess");
  // The server knows their names; without it, the ids will do.
  const names = useLoaded(api.games).value ?? [];
  useEffect(() => {
    theCore().then((core) => (core ? setIds(core.games()) : fail()));
  }, []);
  const copy = async () => {
    const core = await theCore();
    const game = await core?.load(chosen, { language: language.value });
    if (game) open({ text: copyOf(game.source, game.id, t("studio.copy.name", { game: game.name })) });
  };
  return (
    <div class="field">
      <label for="studio-copy">{t("studio.copy")}</label>
      <div class="together">
        <select id="studio-copy" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {ids.map((id) => (
            <option key={id} value={id}>
              {names.find((game) => game.id === id)?.name ?? id}
            </option>
          ))}
        </select>
        <button type="button" disabled={ids.length === 0} onClick={() => void copy()}>
          {t("studio.copy.begin")}
        </button>
      </div>
    </div>
  );
}

function FromLink({ shared, open, close }: { shared: Shared; open: (texts: Shared) => void; close: () => void }) {
  const { text } = shared;
  const { name, id } = titleOf(text);
  return (
    <Dialog title={t("studio.shared")} close={close}>
      <p>
        <b>{(name || id || t("studio.unnamed")).slice(0, 100)}</b>
      </p>
      <p>{t("studio.shared.text")}</p>
      <details>
        <summary>{t("studio.text")}</summary>
        <pre class="studio-snippet">{text.slice(0, 4000)}</pre>
      </details>
      <div class="together">
        <button type="button" onClick={close}>
          {t("studio.shared.no")}
        </button>
        <button type="button" class="primary" onClick={() => open(shared)}>
          {t("studio.shared.save")}
        </button>
      </div>
    </Dialog>
  );
}
