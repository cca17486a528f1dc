import { Download, Upload } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal } from "../client";
import type { Search } from "../client/archive";
import * as archive from "../client/archive";
import { count, type Key, t } from "../i18n";
import { ArchivedRow } from "../parts/archived";
import { Choices } from "../parts/choices";
import { download } from "../parts/download";
import { Empty } from "../parts/empty";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { OpeningTree } from "../parts/openings";
import { Page } from "../parts/page";
import type { Archived, GameSummary, Imported, Whose } from "../wire";
import "../style/archive.css";

// The player's own matches include imported ones, in which they have no side.
const results = {
  mine: ["won", "lost", "draw", "white", "black", "unfinished"],
  public: ["white", "black", "draw"],
} as const;
const noFilters = { game: "", setup: "", result: "", player: "", since: "", until: "", least: "", most: "", fen: "" };
/** The filters that are folded away until one of them is used. */
const folded = ["setup", "since", "until", "least", "most", "fen"] as const;

/** Reads the filters from the URL. */
function searchIn(query: Record<string, string>): Search {
  const whose = query.whose === "mine" || (query.whose !== "public" && identity.value) ? "mine" : "public";
  const filters = Object.keys(noFilters).map((name) => [name, query[name] ?? ""]);
  const search: Search = { ...noFilters, ...Object.fromEntries(filters), whose };
  const isResult = (results[whose] as readonly string[]).includes(search.result);
  return isResult ? search : { ...search, result: "" };
}

export function Archive() {
  const { query } = useLocation();
  const games = useLoaded(api.games);
  const [search, setSearch] = useState(() => searchIn(query));
  const [visit, setVisit] = useState(0);
  const look = (next: Search) => {
    setSearch(next);
    history.replaceState(null, "", at(`/archive?${archive.queryOf({ ...next })}`));
  };
  const { value: game } = useGame(search.game || undefined);
  return (
    <Page title={t("archive.title")} lead={t("archive.lead")} wide>
      <p>
        <a href={at("/studies")}>{t("nav.studies")}</a>
      </p>
      <Show loaded={games}>
        {(all) => (
          <div class="two-columns archive">
            <SearchForm search={search} games={all} look={look} />
            <section class="beside" aria-labelledby="openings">
              <h2 id="openings">{t("archive.openings")}</h2>
              {game && game.id === search.game ? (
                <OpeningTree game={game} whose={search.whose} key={`${game.id} ${search.whose} ${visit}`} />
              ) : (
                <p class="muted">{t("archive.openings.choose")}</p>
              )}
            </section>
            <div class="found">
              <Found search={search} key={`${JSON.stringify(search)} ${visit}`} />
              <Import done={() => setVisit(visit + 1)} />
            </div>
          </div>
        )}
      </Show>
    </Page>
  );
}

function SearchForm({ search, games, look }: { search: Search; games: GameSummary[]; look: (next: Search) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const setup = useRef<HTMLInputElement>(null);
  const [open] = useState(folded.some((name) => search[name] !== ""));
  const find = (change: Partial<Search> = {}) => {
    const data = new FormData(form.current ?? undefined);
    const filters = Object.keys(noFilters).map((name) => [name, String(data.get(name) ?? "").trim()]);
    look({ ...search, ...Object.fromEntries(filters), ...change });
  };
  const whose = (["mine", "public"] as const).map((value) => ({ value, label: t(`archive.whose.${value}`) }));
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Choices<Whose>
        legend={t("archive.whose")}
        value={search.whose}
        among={whose}
        onChange={(value) => find({ whose: value, result: "" })}
      />
      <div class="fields">
        <Field label="archive.game">
          {(id) => (
            <select
              id={id}
              name="game"
              value={search.game}
              onChange={() => {
                // A setup belongs to one game.
                if (setup.current) setup.current.value = "";
                find();
              }}
            >
              <option value="">{t("archive.any")}</option>
              {games.map((game) => (
                <option key={game.id} value={game.id}>
                  {game.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="archive.result" key={search.whose}>
          {(id) => (
            <select id={id} name="result">
              <option value="">{t("archive.any")}</option>
              {results[search.whose].map((value) => (
                <option key={value} value={value} selected={value === search.result}>
                  {t(`archive.result.${value}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={search.whose === "mine" ? "archive.opponent" : "archive.player"}>
          {(id) => <input id={id} name="player" maxLength={40} autocomplete="off" defaultValue={search.player} />}
        </Field>
      </div>
      <details open={open}>
        <summary>{t("archive.more")}</summary>
        <div class="fields">
          <Field label="archive.setup">
            {(id) => (
              <input id={id} ref={setup} name="setup" maxLength={80} autocomplete="off" defaultValue={search.setup} />
            )}
          </Field>
          {(["since", "until"] as const).map((name) => (
            <Field label={`archive.${name}`} key={name}>
              {(id) => <input id={id} name={name} type="date" defaultValue={search[name]} />}
            </Field>
          ))}
          <Field label="archive.fen">
            {(id) => <input id={id} name="fen" maxLength={4096} autocomplete="off" defaultValue={search.fen} />}
          </Field>
          {(["least", "most"] as const).map((name) => (
            <Field label={`archive.${name}`} key={name}>
              {(id) => <input id={id} name={name} type="number" min={0} max={1_000_000} defaultValue={search[name]} />}
            </Field>
          ))}
        </div>
      </details>
      <button type="submit" class="primary">
        {t("archive.find")}
      </button>
    </form>
  );
}

function Field({ label, children }: { label: Key; children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t(label)}</label>
      {children(id)}
    </div>
  );
}

const isFiltered = ({ whose: _, ...filters }: Search): boolean => Object.values(filters).some((value) => value !== "");

/** The matches found, with a button that loads more. */
function Found({ search }: { search: Search }) {
  const first = useLoaded(
    (signal) =>
      // Without an identity there are no own matches, and looking must not create a guest.
      search.whose === "mine" && !identity.value
        ? Promise.resolve({ matches: [], next: null })
        : archive.find(search, null, signal),
    [identity.value?.token],
  );
  const [more, setMore] = useState<{ matches: Archived[]; next: string | null } | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => setMore(null), [first.value]);
  return (
    <section aria-labelledby="found">
      <h2 id="found">{t("archive.matches")}</h2>
      <Show loaded={first}>
        {(page) => {
          const matches = [...page.matches, ...(more?.matches ?? [])];
          const next = more ? more.next : page.next;
          const follow = () =>
            archive
              .find(search, next)
              .then(
                (found) => setMore({ matches: [...(more?.matches ?? []), ...found.matches], next: found.next }),
                setError,
              );
          if (matches.length === 0 && !isFiltered(search))
            return (
              <Empty text={t(`archive.none.${search.whose}`)} path="/new" action={t("nav.play")} button="strong" />
            );
          return matches.length === 0 ? (
            <p class="notice">{t(`archive.empty.${search.whose}`)}</p>
          ) : (
            <>
              <ul class="challenges">
                {matches.map((match) => (
                  <ArchivedRow key={match.match} match={match} />
                ))}
              </ul>
              <p class="together">
                {next && (
                  <button type="button" onClick={follow}>
                    {t("archive.next")}
                  </button>
                )}
                <Export search={search} />
              </p>
            </>
          );
        }}
      </Show>
      {error && <Trouble error={error} />}
    </section>
  );
}

function Export({ search }: { search: Search }) {
  const [error, setError] = useState<Refusal | null>(null);
  const save = () => archive.records(search).then((file) => download(file, "acedrex.pgn"), setError);
  return (
    <>
      <button type="button" class="quiet" onClick={save}>
        <Icon of={Download} /> {t("archive.export")}
      </button>
      {error && <Trouble error={error} />}
    </>
  );
}

function Import({ done }: { done: () => void }) {
  const [report, setReport] = useState<Imported | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    setError(null);
    setReport(null);
    await archive.importPgn(file).then((imported) => {
      setReport(imported);
      if (imported.stored > 0) done();
    }, setError);
    input.value = "";
  };
  return (
    <section class="field">
      <label class="button file">
        <Icon of={Upload} /> {t("archive.import")}
        <input
          type="file"
          accept=".pgn,.txt,application/x-chess-pgn,text/plain"
          class="hidden"
          onChange={(event) => read(event.currentTarget)}
        />
      </label>
      <p class="help">{t("archive.import.help")}</p>
      <div role="status">
        {report && (
          <p>
            {count("archive.stored", report.stored)} {report.known > 0 && count("archive.known", report.known)}{" "}
            {report.left_out > 0 && count("archive.leftOut", report.left_out)}
          </p>
        )}
        {report?.faults.map(({ players, ...fault }) => (
          <p class="fault" key={`${fault.line} ${fault.column} ${fault.message}`}>
            {t("archive.fault", { ...fault, players: players && ` (${players})` })}
          </p>
        ))}
      </div>
      {error && <Trouble error={error} />}
    </section>
  );
}
