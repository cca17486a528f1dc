import { CalendarCheck } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { Refusal } from "../client";
import * as tournaments from "../client/tournaments";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Trouble } from "../parts/loaded";
import { moment } from "../people/notice";
import type { BoardTalk, Tournament, TournamentBoard } from "../wire";
import { byNumber } from "./texts";

/** Milliseconds before an appointment from which one may say that one is there. */
const EARLY = 15 * 60_000;
const MAX_TIMES = 5;

/** What two players still have to arrange: when they play, and that both are there. */
export function Appointment({
  tournament,
  board,
  talk,
  me,
  first,
  again,
}: {
  tournament: Tournament;
  board: TournamentBoard;
  talk: BoardTalk | undefined;
  me: number;
  /** Whether nothing has to be arranged before. */
  first: boolean;
  again: () => void;
}) {
  const [error, setError] = useState<Refusal | null>(null);
  const other = byNumber(tournament).get(board.players.find((player) => player !== me) ?? 0);
  const id = tournament.tournament;
  const run = (work: Promise<void>) => work.then(again, setError);
  const theirs = talk?.proposals.find((one) => one.player !== me)?.times.filter((at) => at > Date.now()) ?? [];
  const mine = talk?.proposals.find((one) => one.player === me)?.times ?? [];
  return (
    <section class="appointment panel-like">
      <h2>
        <Icon of={CalendarCheck} size={22} /> {t("appointment", { name: other?.name ?? "" })}
      </h2>
      {board.appointment ? (
        <Agreed board={board} me={me} arrive={() => run(tournaments.arrive(id, board.board))} />
      ) : (
        <p>{t("appointment.lead", { until: board.until === null ? "" : moment(board.until) })}</p>
      )}
      {theirs.length > 0 && (
        <>
          <p>{t("appointment.theirs", { name: other?.name ?? "" })}</p>
          <ul class="times">
            {theirs.map((at) => (
              <li key={at}>
                <button
                  type="button"
                  class={board.appointment ? "" : "strong"}
                  disabled={at === board.appointment}
                  onClick={() => run(tournaments.agree(id, board.board, at))}
                >
                  {moment(at)}
                  <span class="hidden"> {t("appointment.agree")}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {mine.length > 0 && !board.appointment && (
        <p class="muted">{t("appointment.mine", { times: mine.map(moment).join(", ") })}</p>
      )}
      <Propose
        open={first && !board.appointment && theirs.length + mine.length === 0}
        until={board.until}
        label={t(board.appointment ? "appointment.other" : "appointment.propose")}
        send={(times) => run(tournaments.propose(id, board.board, times))}
      />
      {error && <Trouble error={error} />}
    </section>
  );
}

function Agreed({ board, me, arrive }: { board: TournamentBoard; me: number; arrive: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, []);
  const at = board.appointment ?? 0;
  const isThere = board.there.includes(me);
  const mayCome = now >= at - EARLY;
  return (
    <>
      <p>
        <strong class="figures">{moment(at)}</strong>
      </p>
      {isThere ? (
        <p role="status">{t("appointment.waiting")}</p>
      ) : mayCome ? (
        <p>
          <button type="button" class="primary" onClick={arrive}>
            {t("appointment.here")}
          </button>
        </p>
      ) : (
        <p class="muted">{t("appointment.come")}</p>
      )}
      {board.there.some((player) => player !== me) && <p role="status">{t("appointment.there")}</p>}
    </>
  );
}

function Propose({
  open,
  until,
  label,
  send,
}: {
  open: boolean;
  until: number | null;
  label: string;
  send: (times: number[]) => Promise<void>;
}) {
  const [times, setTimes] = useState<number[]>([]);
  const [text, setText] = useState("");
  const at = Date.parse(text);
  const fits = Number.isFinite(at) && at > Date.now() && (until === null || at <= until) && !times.includes(at);
  const add = () => {
    setTimes([...times, at].sort((one, other) => one - other));
    setText("");
  };
  return (
    <details open={open}>
      <summary>{label}</summary>
      <div class="together">
        <input
          type="datetime-local"
          aria-label={t("appointment.time")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="button" disabled={!fits || times.length >= MAX_TIMES} onClick={add}>
          {t("appointment.add")}
        </button>
      </div>
      {times.length > 0 && (
        <>
          <ul class="times">
            {times.map((one) => (
              <li key={one}>
                <span class="figures">{moment(one)}</span>
                <button type="button" class="quiet" onClick={() => setTimes(times.filter((each) => each !== one))}>
                  {t("appointment.remove")}
                  <span class="hidden"> {moment(one)}</span>
                </button>
              </li>
            ))}
          </ul>
          <button type="button" class="strong" onClick={() => send(times).then(() => setTimes([]))}>
            {t("appointment.send")}
          </button>
        </>
      )}
    </details>
  );
}
