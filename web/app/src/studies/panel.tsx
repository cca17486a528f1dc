import { Download, Eye, Plus } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Note } from "../analysis/note";
import type { Review } from "../analysis/review";
import { TreeView } from "../analysis/tree-view";
import { at, Refusal } from "../client";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { Choices } from "../parts/choices";
import { CopyText, EmbedCode } from "../parts/copy-text";
import { download } from "../parts/download";
import { Icon } from "../parts/icon";
import { Trouble } from "../parts/loaded";
import { Name } from "../parts/name";
import { TabPanel } from "../parts/panel";
import { refusal, thrownRefusal } from "../refusal";
import type { Access, ChapterInfo, Game, Study } from "../wire";
import type { Chapter } from "./chapter";
import { DrawButtons, type DrawingColour } from "./drawing";
import { NewChapterForm } from "./new-chapter";
import type { OpenStudy } from "./open-study";
import { Report } from "./report";

const tabs = ["chapters", "moves", "about"] as const;
type Tab = (typeof tabs)[number];
const accesses = ["private", "link", "public"] as const;

interface Props {
  opened: OpenStudy;
  told: Study;
  /** `null` while there is none. */
  chapter: Chapter | null;
  game: Game | null;
  review: Review | null;
  drawing: DrawingColour;
  draw: (colour: DrawingColour) => void;
  close: () => void;
  /** In place of the moves, as of an exercise. */
  moves?: ComponentChildren;
}

/** Beside the board of a study: its chapters, the moves of one with their texts, and what concerns the whole study. */
export function StudyPanel(props: Props) {
  const { opened, told, chapter, game, review, drawing, draw, close, moves } = props;
  const [tab, setTab] = useState<Tab>(chapter ? "moves" : "chapters");
  const writes = opened.writes.value;
  return (
    <TabPanel
      label={t("study")}
      tabs={tabs}
      open={tab}
      choose={setTab}
      title={(name) => t(`study.tab.${name}`)}
      close={close}
      below={
        tab === "moves" &&
        writes &&
        chapter && (
          <Note study={chapter} most={2000}>
            <DrawButtons drawing={drawing} draw={draw} />
          </Note>
        )
      }
    >
      {tab === "chapters" && <Chapters opened={opened} told={told} chapter={chapter} shown={() => setTab("moves")} />}
      {tab === "moves" &&
        (moves ??
          (chapter && review && (
            <TreeView study={chapter} review={review} subject={`${told.title} · ${chapter.chapter.info.name}`} />
          )))}
      {tab === "about" && <About opened={opened} told={told} chapter={chapter} game={game} />}
    </TabPanel>
  );
}

function Chapters({
  opened,
  told,
  chapter,
  shown,
}: {
  opened: OpenStudy;
  told: Study;
  chapter: Chapter | null;
  shown: () => void;
}) {
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<number | null>(null);
  const writes = opened.writes.value;
  return (
    <div class="study-chapters">
      {told.chapters.length === 0 && <p class="muted small">{t("study.chapters.none")}</p>}
      <ol>
        {told.chapters.map((info) => (
          <li key={info.id}>
            <div class="chapter-line">
              <button
                type="button"
                class="quiet chapter-name"
                aria-current={info.id === chapter?.number ? "true" : undefined}
                onClick={() => {
                  opened.open(info.id);
                  shown();
                }}
              >
                <span>{info.title}</span>
                <span class="muted small">
                  {info.name}
                  {info.mode === "exercise" && ` · ${t("study.mode.exercise")}`}
                </span>
              </button>
              {writes && (
                <button
                  type="button"
                  class="quiet small"
                  aria-expanded={editing === info.id}
                  onClick={() => setEditing(editing === info.id ? null : info.id)}
                >
                  {t("study.chapter.edit")}
                </button>
              )}
            </div>
            {writes && editing === info.id && (
              <EditChapter key={info.id} opened={opened} told={told} info={info} done={() => setEditing(null)} />
            )}
          </li>
        ))}
      </ol>
      {writes &&
        (adding ? (
          <NewChapterForm
            study={told.study}
            done={(id) => {
              setAdding(false);
              opened.open(id);
            }}
            close={() => setAdding(false)}
          />
        ) : (
          <button type="button" class="wide-button" onClick={() => setAdding(true)}>
            <Icon of={Plus} size={18} /> {t("study.chapter.add")}
          </button>
        ))}
    </div>
  );
}

function EditChapter({
  opened,
  told,
  info,
  done,
}: {
  opened: OpenStudy;
  told: Study;
  info: ChapterInfo;
  done: () => void;
}) {
  const [error, setError] = useState<Refusal | null>(null);
  const [sure, setSure] = useState(false);
  const place = told.chapters.findIndex(({ id }) => id === info.id);
  const send = async (command: Parameters<OpenStudy["send"]>[0], then?: () => void) => {
    const problem = await opened.send(command);
    if (problem === null) {
      setError(null);
      then?.();
    } else setError(problem === "lost" ? refusal("offline") : new Refusal(problem, 0));
  };
  const edit = { type: "edit", chapter: info.id } as const;
  return (
    <form
      class="chapter-form"
      onSubmit={(event) => {
        event.preventDefault();
        const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
        if (title) void send({ ...edit, title }, done);
      }}
    >
      {error && <Trouble error={error} />}
      <label class="small" for={`title-${info.id}`}>
        {t("study.title.label")}
      </label>
      <input id={`title-${info.id}`} name="title" defaultValue={info.title} maxLength={80} required />
      <Choices
        legend={t("study.mode")}
        value={info.mode}
        among={(["reading", "exercise"] as const).map((value) => ({ value, label: t(`study.mode.${value}`) }))}
        onChange={(mode) => void send({ ...edit, mode })}
        help={t("study.mode.help")}
      />
      <Choices
        legend={t("study.orientation")}
        value={info.orientation}
        among={(["white", "black"] as const).map((value) => ({ value, label: t(`side.${value}`) }))}
        onChange={(orientation) => void send({ ...edit, orientation })}
      />
      <div class="together">
        <button type="submit">{t("study.save")}</button>
        <button type="button" disabled={place <= 0} onClick={() => void send({ ...edit, place: place - 1 })}>
          {t("study.chapter.up")}
        </button>
        <button
          type="button"
          disabled={place >= told.chapters.length - 1}
          onClick={() => void send({ ...edit, place: place + 1 })}
        >
          {t("study.chapter.down")}
        </button>
        <button
          type="button"
          class={sure ? "danger" : "quiet"}
          onClick={() =>
            sure ? void send({ type: "remove", chapter: info.id, seen: opened.seen }, done) : setSure(true)
          }
        >
          {t(sure ? "study.chapter.remove.sure" : "study.chapter.remove")}
        </button>
      </div>
    </form>
  );
}

function About({
  opened,
  told,
  chapter,
  game,
}: {
  opened: OpenStudy;
  told: Study;
  chapter: Chapter | null;
  game: Game | null;
}) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const [sure, setSure] = useState(false);
  const owns = told.role === "owner";
  const attempt = (work: Promise<unknown>) =>
    work.then(
      () => setError(null),
      (problem: unknown) => setError(thrownRefusal(problem)),
    );
  const file = (id?: number) =>
    attempt(studies.record(told.study, id).then((found) => download(found, `acedrex-study-${told.study}.pgn`)));
  return (
    <div class="info study-about">
      {error && <Trouble error={error} />}
      {told.withdrawn && <p role="alert">{t("study.withdrawn")}</p>}
      {owns ? (
        <>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
              if (title) void attempt(studies.change(told.study, { title }));
            }}
          >
            <label for="study-title">{t("study.title.label")}</label>
            <div class="together">
              <input id="study-title" name="title" defaultValue={told.title} maxLength={80} required />
              <button type="submit">{t("study.save")}</button>
            </div>
          </form>
          <Choices<Access>
            legend={t("study.access")}
            value={told.access}
            among={accesses.map((value) => ({ value, label: t(`study.access.${value}`) }))}
            onChange={(access) => void attempt(studies.change(told.study, { access }))}
            help={t(`study.access.${told.access}.help`)}
          />
        </>
      ) : (
        <p class="muted small">{t(`study.access.${told.access}.help`)}</p>
      )}
      <h2>{t("study.people")}</h2>
      <ul class="plain study-people">
        {told.members.map((member) => (
          <li key={member.who}>
            <Name name={member.name} profile={member.account ? member.name : null} />{" "}
            <span class="muted small">{t(`study.role.${member.role}`)}</span>
            {owns && member.role !== "owner" && (
              <button
                type="button"
                class="quiet small"
                aria-label={t("study.people.remove", { name: member.name })}
                onClick={() => void attempt(studies.removePerson(told.study, member.who))}
              >
                {t("study.people.out")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {owns && <AddPerson study={told.study} attempt={attempt} />}
      {told.access !== "private" && (
        <>
          <h2>{t("study.link")}</h2>
          <CopyText text={new URL(at(`/study/${told.study}`), location.href).href} label={t("study.link")} />
          {chapter && game && (
            <>
              <h2>{t("embed.code")}</h2>
              <p class="help">{t("study.embed")}</p>
              <EmbedCode path={`study/${told.study}/${chapter.number}`} game={game} />
            </>
          )}
        </>
      )}
      <h2>PGN</h2>
      <div class="together">
        {chapter && (
          <button type="button" onClick={() => void file(chapter.number)}>
            <Icon of={Download} size={18} /> {t("study.pgn.chapter")}
          </button>
        )}
        <button type="button" disabled={told.chapters.length === 0} onClick={() => void file()}>
          <Icon of={Download} size={18} /> {t("study.pgn.all")}
        </button>
      </div>
      {chapter && (
        <p>
          <a
            href={at(`/analysis?${new URLSearchParams({ study: told.study, chapter: String(chapter.number) })}`)}
            class="button"
          >
            <Icon of={Eye} size={18} /> {t("study.analyse")}
          </a>
        </p>
      )}
      {owns ? (
        <button
          type="button"
          class={sure ? "danger" : "quiet"}
          onClick={() =>
            sure
              ? void attempt(
                  studies.remove(told.study).then(() => {
                    opened.close();
                    route(at("/studies"));
                  }),
                )
              : setSure(true)
          }
        >
          {t(sure ? "study.remove.sure" : "study.remove")}
        </button>
      ) : (
        <Report study={told.study} title={told.title} />
      )}
    </div>
  );
}

function AddPerson({ study, attempt }: { study: string; attempt: (work: Promise<unknown>) => void }) {
  return (
    <form
      class="together"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const data = new FormData(form);
        const who = String(data.get("who") ?? "").trim();
        const role = data.get("role") === "reader" ? "reader" : "writer";
        if (who) attempt(studies.addPerson(study, who, role).then(() => form.reset()));
      }}
    >
      <input
        name="who"
        maxLength={40}
        required
        autocomplete="off"
        aria-label={t("study.people.name")}
        placeholder={t("study.people.name")}
      />
      <select name="role" aria-label={t("study.people.role")}>
        <option value="writer">{t("study.role.writer")}</option>
        <option value="reader">{t("study.role.reader")}</option>
      </select>
      <button type="submit">{t("study.people.add")}</button>
    </form>
  );
}
