import { useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { at } from "../client";
import { t } from "../i18n";
import { Waiting } from "../parts/loaded";
import { Desk } from "../studio/desk";
import { readDraft } from "../studio/drafts";
import { List } from "../studio/list";
import { OpenDraft } from "../studio/open-draft";
import { ReportPage } from "../studio/publish-part";
import { fromFragment, type Shared } from "../studio/share";
import "../style/editor.css";
import "../style/learn.css";
import "../studio/studio.css";

/** The studio: the list of drafts, or one of them. */
export function Studio() {
  const { params, query } = useRoute();
  const { id } = params;
  if (query.report && !id) return <ReportPage id={query.report} />;
  return id ? <Opened id={id} key={id} /> : <Arrived />;
}

function Arrived() {
  const fragment = location.hash.slice(1);
  const [shared, setShared] = useState<{ found: Shared | null } | null>(fragment ? null : { found: null });
  useEffect(() => {
    if (fragment) fromFragment(fragment).then((found) => setShared({ found }));
  }, [fragment]);
  if (!shared) return <Loading />;
  return <List shared={shared.found} spoilt={fragment !== "" && shared.found === null} key={fragment} />;
}

function Opened({ id }: { id: string }) {
  const [draft, setDraft] = useState<OpenDraft | null | "gone">(null);
  useEffect(() => {
    let opened: OpenDraft | null = null;
    let current = true;
    readDraft(id).then(
      (stored) => {
        if (!current) return;
        opened = stored && new OpenDraft(stored);
        setDraft(opened ?? "gone");
      },
      () => current && setDraft("gone"),
    );
    return () => {
      current = false;
      opened?.close();
    };
  }, [id]);
  if (draft === "gone") {
    return (
      <main id="main" class="page" tabIndex={-1}>
        <div class="notice" role="alert">
          <h1>{t("studio.gone")}</h1>
          <p>{t("studio.gone.text")}</p>
          <a class="button" href={at("/studio")}>
            {t("studio.drafts")}
          </a>
        </div>
      </main>
    );
  }
  return draft ? <Desk draft={draft} /> : <Loading />;
}

function Loading() {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1 class="hidden">{t("studio.title")}</h1>
      <Waiting />
    </main>
  );
}
