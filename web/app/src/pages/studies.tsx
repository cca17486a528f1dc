import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal } from "../client";
import * as studies from "../client/studies";
import { count, language, t } from "../i18n";
import { Choices } from "../parts/choices";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { thrownRefusal } from "../refusal";
import type { Access, StudyCard, Whose } from "../wire";
import "../style/studies.css";

/** Studies: one's own and those in which one writes, the public ones, and a form for a new one. */
export function Studies() {
  return (
    <Page title={t("studies.title")} lead={t("studies.lead")} wide>
      <div class="two-columns">
        <NewStudyForm />
        <div>
          {identity.value && <List whose="mine" />}
          <List whose="public" />
        </div>
      </div>
    </Page>
  );
}

function NewStudyForm() {
  const games = useLoaded(api.games);
  const { route } = useLocation();
  const [access, setAccess] = useState<Access>("private");
  const [error, setError] = useState<Refusal | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const title = String(data.get("title") ?? "").trim();
        const game = String(data.get("game") ?? "");
        const name = games.value?.find(({ id }) => id === game)?.name ?? game;
        if (!title) return;
        studies.make({ title, access, chapter: { title: name, game } }).then(
          ({ study }) => route(at(`/study/${study}`)),
          (problem: unknown) => setError(thrownRefusal(problem)),
        );
      }}
    >
      <h2>{t("studies.new")}</h2>
      {error && <Trouble error={error} />}
      <div class="field">
        <label for="title">{t("study.title.label")}</label>
        <input id="title" name="title" maxLength={80} required autocomplete="off" />
      </div>
      <div class="field">
        <label for="game">{t("new.game")}</label>
        <select id="game" name="game">
          {games.value?.map((game) => (
            <option key={game.id} value={game.id}>
              {game.name}
            </option>
          ))}
        </select>
      </div>
      <Choices<Access>
        legend={t("study.access")}
        value={access}
        among={(["private", "link", "public"] as const).map((value) => ({ value, label: t(`study.access.${value}`) }))}
        onChange={setAccess}
        help={t(`study.access.${access}.help`)}
      />
      <button type="submit" class="primary">
        {t("studies.make")}
      </button>
    </form>
  );
}

function List({ whose }: { whose: Whose }) {
  const first = useLoaded((signal) => studies.list(whose, null, signal), [identity.value?.token]);
  const [more, setMore] = useState<{ studies: StudyCard[]; next: string | null } | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  return (
    <section aria-labelledby={`studies-${whose}`}>
      <h2 id={`studies-${whose}`}>{t(`studies.${whose}`)}</h2>
      <Show loaded={first}>
        {(page) => {
          const all = [...page.studies, ...(more?.studies ?? [])];
          const next = more ? more.next : page.next;
          return all.length === 0 ? (
            <p class="muted">{t(`studies.none.${whose}`)}</p>
          ) : (
            <>
              <ul class="challenges">
                {all.map((study) => (
                  <Row key={study.study} study={study} />
                ))}
              </ul>
              {next && (
                <button
                  type="button"
                  onClick={() =>
                    studies
                      .list(whose, next)
                      .then(
                        (found) => setMore({ studies: [...(more?.studies ?? []), ...found.studies], next: found.next }),
                        setError,
                      )
                  }
                >
                  {t("archive.next")}
                </button>
              )}
            </>
          );
        }}
      </Show>
      {error && <Trouble error={error} />}
    </section>
  );
}

function Row({ study }: { study: StudyCard }) {
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
  return (
    <li>
      <div class="what">
        <h3>
          <a href={at(`/study/${study.study}`)}>{study.title}</a>
        </h3>
        <p class="muted small">
          {study.game && `${study.game} · `}
          {count("study.chapters", study.chapters)} · {date.format(study.changed)}
          {study.access === "private" && ` · ${t("study.access.private")}`}
        </p>
      </div>
      {study.role !== "owner" && (
        <p class="small">
          <Name name={study.owner} profile={study.profile} />
        </p>
      )}
    </li>
  );
}
