import { Download } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, identity, type Refusal, Socket, socketAt } from "../client";
import * as tournaments from "../client/tournaments";
import { count, t } from "../i18n";
import { Icon } from "../parts/icon";
import { type Loaded, Show, Trouble, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { timeText } from "../parts/time";
import { moment } from "../people/notice";
import { Appointment } from "../tournaments/appointment";
import { Boards } from "../tournaments/boards";
import { Bracket } from "../tournaments/bracket";
import { concerning, merged } from "../tournaments/news";
import { Organise } from "../tournaments/organise";
import { Standings } from "../tournaments/standings";
import { startText } from "../tournaments/texts";
import type { Hello, OwnTournament, Tournament, TournamentNews } from "../wire";
import "../style/people.css";
import "../style/tournaments.css";

/** Follows a tournament; the connection also says that one is there, for which an arena pairs its players. */
function useLive(id: string): Tournament | null {
  const [live, setLive] = useState<Tournament | null>(null);
  useEffect(() => {
    const socket = new Socket<TournamentNews, Hello>(socketAt(`/api/tournaments/${id}/socket`), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: null,
      receive: (message) => {
        if (message.type === "tournament") setLive((before) => merged(before, message));
      },
    });
    return () => socket.close();
  }, [id, identity.value?.token]);
  return live;
}

/** A tournament: its rules, standings and games, live. */
export function TournamentPage({ id }: { id: string }) {
  const loaded = useLoaded((signal) => tournaments.one(id, signal), [id]);
  const live = useLive(id);
  const value = live ?? loaded.value;
  const me = useRef<number | null>(null);
  const own = useLoaded<OwnTournament | null>(
    async (signal) => (value && identity.value ? tournaments.own(id, signal) : null),
    [id, identity.value?.token, value && concerning(value, me.current)],
  );
  me.current = own.value?.player ?? null;
  return (
    <Page title={value?.name ?? t("tournaments")} wide>
      <Show loaded={{ ...loaded, value }}>{(tournament) => <Content tournament={tournament} own={own} />}</Show>
    </Page>
  );
}

function Content({ tournament, own }: { tournament: Tournament; own: Loaded<OwnTournament | null> }) {
  const me = own.value?.player ?? null;
  return (
    <div class="tournament">
      <Facts tournament={tournament} />
      {tournament.description && <p class="story">{tournament.description}</p>}
      <State tournament={tournament} />
      <Mine tournament={tournament} own={own} me={me} />
      <Bracket tournament={tournament} me={me} />
      <Boards tournament={tournament} me={me} />
      <section class="more">
        <h2>{t("tournament.standings")}</h2>
        {tournament.players.length === 0 ? (
          <p class="muted">{t("tournament.nobody")}</p>
        ) : (
          <Standings tournament={tournament} me={me} />
        )}
      </section>
      <p class="together">
        {tournament.boards.length > 0 && (
          <a class="button" href={at(`/api/tournaments/${tournament.tournament}/pgn`)} download>
            <Icon of={Download} size={18} /> {t("tournament.pgn")}
          </a>
        )}
        <a class="button quiet" href={at(`/api/calendars/tournaments/${tournament.tournament}.ics`)} download>
          {t("calendar")}
        </a>
        <a class="button quiet" href={at("/tournaments")}>
          {t("tournaments.all")}
        </a>
      </p>
      {own.value?.may.includes("edit") && <Organise tournament={tournament} />}
    </div>
  );
}

/** How it is played, in two lines. */
function Facts({ tournament }: { tournament: Tournament }) {
  const { settings } = tournament;
  const parts = [t(`tournament.kind.${settings.kind}`)];
  if (tournament.rounds && settings.kind !== "simul") parts.push(count("tournament.rounds", tournament.rounds));
  if (settings.kind === "arena") parts.push(count("tournament.long", settings.minutes ?? 60));
  const { games = 1 } = settings;
  if (games > 1)
    parts.push(
      settings.kind === "knockout" ? t("tournament.bestOf.fact", { games }) : count("tournament.perPair", games),
    );
  if (settings.appointment_days) parts.push(t("tournament.byAppointment"));
  if (settings.rated) parts.push(t("match.rated"));
  const isThematic = settings.fen || (settings.setup && settings.setup !== "random" && settings.setup !== "choose");
  return (
    <p class="facts">
      <a href={at(`/learn/${encodeURIComponent(settings.game.game)}`)}>{tournament.game}</a> · {parts.join(" · ")}
      <br />
      <span class="muted figures">
        {timeText(settings.time)}
        {isThematic && (
          <>
            {" · "}
            {t("tournament.thematic")} {settings.setup && <code>{settings.setup}</code>}
          </>
        )}
        {tournament.by && (
          <>
            {" · "}
            {t("tournament.by")} <Name name={tournament.by} profile={tournament.profile} />
          </>
        )}
      </span>
    </p>
  );
}

/** What the tournament is doing: when it starts or ends, and which round is played. */
function State({ tournament }: { tournament: Tournament }) {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow((one) => one + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  const { phase, round, rounds } = tournament;
  const players = tournament.players.filter((player) => player.active).length;
  const text = {
    open: t("tournament.opens", { when: startText(tournament.starts_at) }),
    running: tournament.ends_at
      ? t("tournament.ends", { when: moment(tournament.ends_at) })
      : rounds && round && tournament.settings.kind !== "simul"
        ? t("tournament.round", { round, rounds })
        : t("tournament.running"),
    over: t("tournament.over"),
    cancelled: t("tournament.cancelled"),
  }[phase];
  return (
    <p class="state" role="status">
      <strong class="figures">{text}</strong>
      {phase === "open" && (
        <span class="muted figures">
          {" "}
          · {t("tournament.places", { players, most: tournament.settings.max_players ?? 64 })}
        </span>
      )}
      {tournament.next_round_at && phase === "running" && <span class="muted"> · {t("tournament.pausing")}</span>}
    </p>
  );
}

/** What one can do: enter, go to one's game, arrange an appointment, withdraw. */
function Mine({
  tournament,
  own,
  me,
}: {
  tournament: Tournament;
  own: Loaded<OwnTournament | null>;
  me: number | null;
}) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const id = tournament.tournament;
  const boards = tournament.boards.filter((board) => me !== null && board.players.includes(me));
  const running = boards.flatMap((board) => board.games.filter((game) => game.points === null));
  const current = running.at(-1)?.match ?? null;
  // Whoever waits here is taken to the game when it begins; whoever opens the page during it has a button.
  const seen = useRef<string | null | undefined>(undefined);
  const isLive = tournament.settings.time.kind !== "correspondence" && running.length === 1;
  useEffect(() => {
    if (me === null) return;
    const before = seen.current;
    seen.current = current;
    if (before !== undefined && current && current !== before && isLive) route(at(`/match/${current}`));
  }, [current, me, isLive]);
  const run = (work: Promise<void>) => {
    setError(null);
    return work.then(own.again, setError);
  };
  // Without an identity one may be able to enter; a guest is made then.
  const may = own.value?.may ?? (identity.value || tournament.phase !== "open" ? [] : ["enter" as const]);
  const waiting = boards.filter((board) => board.until !== null);
  const needsAccount = tournament.settings.rated && !identity.value?.account;
  return (
    <>
      <div class="together actions">
        {running.length === 1 && (
          <a class="button primary" href={at(`/match/${current}`)}>
            {t("tournament.toGame")}
          </a>
        )}
        {running.length > 1 && (
          <a class="button primary" href={at("/mine")}>
            {count("tournament.toGames", running.length)}
          </a>
        )}
        {may.includes("enter") &&
          (needsAccount ? (
            <a class="button primary" href={at("/account")}>
              {t("tournament.needsAccount")}
            </a>
          ) : (
            <button type="button" class="primary" onClick={() => run(tournaments.enter(id))}>
              {t(me === null ? "tournament.enter" : "tournament.return")}
            </button>
          ))}
        {may.includes("bye") && tournament.round + 1 < (tournament.rounds ?? 0) && (
          <button
            type="button"
            disabled={own.value?.byes.includes(tournament.round + 1)}
            onClick={() => run(tournaments.bye(id, tournament.round + 1))}
          >
            {t(own.value?.byes.includes(tournament.round + 1) ? "tournament.sitsOut" : "tournament.sitOut", {
              round: tournament.round + 1,
            })}
          </button>
        )}
        {may.includes("withdraw") && (
          <button type="button" class="quiet" onClick={() => run(tournaments.withdraw(id))}>
            {t(tournament.settings.kind === "arena" ? "tournament.pause.arena" : "tournament.withdraw")}
          </button>
        )}
      </div>
      {tournament.settings.kind === "arena" && tournament.phase === "running" && me !== null && !current && (
        <p role="status" class="muted">
          {t("tournament.wait")}
        </p>
      )}
      {error && <Trouble error={error} />}
      {me !== null &&
        waiting.map((board, place) => (
          <Appointment
            key={board.board}
            tournament={tournament}
            board={board}
            talk={own.value?.talks.find((talk) => talk.board === board.board)}
            me={me}
            first={place === 0}
            again={own.again}
          />
        ))}
    </>
  );
}
