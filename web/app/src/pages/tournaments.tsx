import { CalendarDays } from "lucide";
import { useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { at, identity, type Refusal } from "../client";
import * as tournaments from "../client/tournaments";
import { t } from "../i18n";
import { CopyText } from "../parts/copy-text";
import { Icon } from "../parts/icon";
import { Show, Trouble, useFresh, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { Entry } from "../tournaments/card";
import type { OwnCalendar, TournamentCard, TournamentList } from "../wire";
import { NewTournament } from "./new-tournament";
import { TournamentPage } from "./tournament";
import "../style/tournaments.css";

/** All tournaments, one of them, or the page where one is made. */
export function Tournaments() {
  const { id } = useRoute().params;
  if (!id) return <Lists />;
  return id === "new" ? <NewTournament /> : <TournamentPage id={id} key={id} />;
}

/** The tournaments that are played, to come and over, and calendars of them. */
function Lists() {
  const loaded = useLoaded((signal) => tournaments.listed(null, signal), [identity.value?.token]);
  useFresh(loaded);
  return (
    <Page title={t("tournaments")} lead={t("tournaments.lead")}>
      <Show loaded={loaded}>
        {(list) => (
          <>
            {list.may_make && (
              <p>
                <a class="button primary" href={at("/tournaments/new")}>
                  {t("tournament.new")}
                </a>
              </p>
            )}
            <List title={t("tournaments.running")} cards={list.running} />
            <List title={t("tournaments.coming")} cards={list.coming} empty={t("tournaments.none")} />
            <Over first={list} />
            <Calendars />
          </>
        )}
      </Show>
    </Page>
  );
}

function List({ title, cards, empty }: { title: string; cards: TournamentCard[]; empty?: string }) {
  if (cards.length === 0 && !empty) return null;
  return (
    <section class="more">
      <h2>{title}</h2>
      {cards.length === 0 ? (
        <p class="muted">{empty}</p>
      ) : (
        <ul class="challenges">
          {cards.map((card) => (
            <Entry key={card.tournament} card={card} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Over({ first }: { first: TournamentList }) {
  const [older, setOlder] = useState<TournamentCard[]>([]);
  const [more, setMore] = useState<boolean | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const shown = [...first.over, ...older];
  const last = shown.at(-1);
  const next = () =>
    last &&
    tournaments.listed(last.starts_at).then((page) => {
      setOlder([...older, ...page.over]);
      setMore(page.more);
    }, setError);
  return (
    <>
      <List title={t("tournaments.over")} cards={shown} />
      {(more ?? first.more) && (
        <button type="button" onClick={next}>
          {t("messages.older")}
        </button>
      )}
      {error && <Trouble error={error} />}
    </>
  );
}

const absolute = (path: string) => new URL(at(path), location.href).href;

function Calendars() {
  return (
    <section class="more calendars">
      <h2>
        <Icon of={CalendarDays} size={22} /> {t("calendar")}
      </h2>
      <p>{t("calendar.all")}</p>
      <CopyText text={absolute("/api/calendars/tournaments.ics")} label={t("calendar.all")} />
      {identity.value && <OwnOne />}
    </section>
  );
}

/** The address of one's own calendar, which is shown when it is made. */
function OwnOne() {
  const loaded = useLoaded(tournaments.calendar, [identity.value?.token]);
  const [made, setMade] = useState<OwnCalendar | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const state = made ?? loaded.value;
  if (!state) return null;
  const make = () => tournaments.newCalendar().then(setMade, setError);
  const stop = () => tournaments.noCalendar().then(() => setMade({ exists: false, path: null }), setError);
  return (
    <>
      <h3>{t("calendar.own")}</h3>
      <p>{t(state.path ? "calendar.made" : state.exists ? "calendar.exists" : "calendar.own.lead")}</p>
      {state.path && <CopyText text={absolute(state.path)} label={t("calendar.own")} />}
      <p class="together">
        <button type="button" onClick={make}>
          {t(state.exists ? "calendar.renew" : "calendar.make")}
        </button>
        {state.exists && (
          <button type="button" class="quiet" onClick={stop}>
            {t("calendar.stop")}
          </button>
        )}
      </p>
      {error && <Trouble error={error} />}
    </>
  );
}
