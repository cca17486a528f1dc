import { Redo2, TriangleAlert, Undo2 } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { at } from "../client";
import { type Key, t } from "../i18n";
import { Icon } from "../parts/icon";
import { Waiting } from "../parts/loaded";
import { useArrival, useTitle } from "../parts/page";
import { BoardForm } from "./board-form";
import type { OpenDraft } from "./open-draft";
import { PiecesForm } from "./pieces-form";
import { Play } from "./play";
import { PlayPane } from "./play-pane";
import { Series } from "./portrait";
import { Problems } from "./problems";
import { RulesForm } from "./rules-form";
import { SharePane, saveFile } from "./share-pane";
import { TextPane } from "./text-pane";

const TABS = ["board", "pieces", "rules", "text", "play", "share"] as const;
type Tab = (typeof TABS)[number];

/** An open draft, in tabs: forms, the text, a game, and what leaves the browser. */
export function Desk({ draft }: { draft: OpenDraft }) {
  const [tab, setTab] = useState<Tab>("board");
  const play = useMemo(() => new Play(), [draft]);
  const series = useMemo(() => new Series(), [draft]);
  useEffect(
    () => () => {
      play.close();
      series.stop();
    },
    [play, series],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  const { name } = draft.title.value;
  useTitle(name || t("studio.title"));
  const wanted = draft.wanted.value;
  useEffect(() => {
    if (wanted) setTab("text");
  }, [wanted]);
  // The piece that the board's form begins with.
  const [placed, setPlaced] = useState<string | null>(null);
  const place = (letter: string) => {
    setPlaced(letter);
    setTab("board");
  };
  const open = (next: Tab) => {
    draft.wanted.value = null;
    setPlaced(null);
    setTab(next);
  };
  const readable = draft.document.value !== null;
  const problems = draft.problems.value.length;
  return (
    <main id="main" class="page wide studio" tabIndex={-1}>
      <div class="studio-head">
        <h1 ref={heading} tabIndex={-1}>
          {name || t("studio.unnamed")}
        </h1>
        <p class="muted small" role="status">
          {t(SAVED[draft.saved.value])}
        </p>
        <span class="studio-undo">
          <button
            type="button"
            class="quiet"
            disabled={!draft.undoable.value}
            aria-label={t("studio.undo")}
            title={t("studio.undo")}
            onClick={() => draft.undo()}
          >
            <Icon of={Undo2} />
          </button>
          <button
            type="button"
            class="quiet"
            disabled={!draft.redoable.value}
            aria-label={t("studio.redo")}
            title={t("studio.redo")}
            onClick={() => draft.redo()}
          >
            <Icon of={Redo2} />
          </button>
        </span>
        <a href={at("/studio")}>{t("studio.drafts")}</a>
      </div>
      {draft.saved.value === "never" && (
        <p class="fault" role="alert">
          {t("studio.unsaved")}{" "}
          <button type="button" onClick={() => saveFile(draft.text.value)}>
            {t("studio.share.file.save")}
          </button>
        </p>
      )}
      <div class="studio-tabs" role="tablist" aria-label={t("studio.title")}>
        {TABS.map((one) => (
          <button
            type="button"
            role="tab"
            key={one}
            id={`tab-${one}`}
            aria-selected={one === tab}
            aria-controls="studio-tab"
            tabIndex={one === tab ? 0 : -1}
            onClick={() => open(one)}
            onKeyDown={(event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              const next = TABS[(TABS.indexOf(one) + step + TABS.length) % TABS.length];
              if (step === 0 || !next) return;
              open(next);
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {t(`studio.tab.${one}`)}
            {one === "text" && problems > 0 && <Icon of={TriangleAlert} size={16} />}
          </button>
        ))}
      </div>
      <div id="studio-tab" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {draft.waiting.value && FORMS.has(tab) ? (
          <Waiting />
        ) : !readable && FORMS.has(tab) ? (
          <div class="notice" role="alert">
            {draft.trouble.value !== "core" && <p>{t("studio.unreadable")}</p>}
            <Problems draft={draft} />
            <button
              type="button"
              class="primary"
              onClick={() => {
                draft.wanted.value = { ...(draft.problems.value[0] ?? { which: "text", line: 0, message: "" }) };
              }}
            >
              {t("studio.unreadable.text")}
            </button>
          </div>
        ) : (
          <>
            {tab === "board" && <BoardForm draft={draft} placed={placed} />}
            {tab === "pieces" && <PiecesForm draft={draft} place={place} />}
            {tab === "rules" && <RulesForm draft={draft} />}
            {tab === "text" && <TextPane draft={draft} />}
            {tab === "play" && <PlayPane draft={draft} play={play} series={series} />}
            {tab === "share" && <SharePane draft={draft} />}
            {(tab === "board" || tab === "pieces") && <Problems draft={draft} />}
          </>
        )}
      </div>
    </main>
  );
}

const FORMS: ReadonlySet<Tab> = new Set(["board", "pieces", "rules"]);
const SAVED: Record<OpenDraft["saved"]["value"], Key> = {
  yes: "studio.saved",
  "not yet": "studio.saving",
  never: "studio.never",
};
