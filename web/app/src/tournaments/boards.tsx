import { useState } from "preact/hooks";
import { at } from "../client";
import { t } from "../i18n";
import { Name } from "../parts/name";
import { moment } from "../people/notice";
import type { Tournament, TournamentBoard } from "../wire";
import { byNumber, resultText } from "./texts";

/** The pairs of a round, with links to their games; the last round that was paired comes first. */
export function Boards({ tournament, me }: { tournament: Tournament; me: number | null }) {
  const rounds = [...new Set(tournament.boards.map((board) => board.round))].sort((one, other) => one - other);
  const current =
    rounds.find((round) => tournament.boards.some((board) => board.round === round && !board.points)) ?? rounds.at(-1);
  const [chosen, setChosen] = useState<number | null>(null);
  if (current === undefined) return null;
  const isArena = tournament.settings.kind === "arena";
  const round = chosen !== null && rounds.includes(chosen) ? chosen : current;
  const boards = isArena ? [...tournament.boards].reverse() : tournament.boards.filter((one) => one.round === round);
  return (
    <section class="more">
      <div class="boards-head">
        <h2>{t(isArena ? "tournament.games.latest" : "tournament.pairings")}</h2>
        {!isArena && rounds.length > 1 && (
          <select
            aria-label={t("tournament.round.choose")}
            value={round}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {rounds.map((one) => (
              <option key={one} value={one}>
                {t("tournament.round.number", { round: one })}
              </option>
            ))}
          </select>
        )}
      </div>
      <ul class="pairs">
        {boards.map((board) => (
          <Pair key={board.board} board={board} tournament={tournament} me={me} />
        ))}
        {!isArena && <Bye tournament={tournament} round={round} />}
      </ul>
    </section>
  );
}

function Pair({ board, tournament, me }: { board: TournamentBoard; tournament: Tournament; me: number | null }) {
  const everybody = byNumber(tournament);
  const [first, second] = board.players.map((number) => everybody.get(number));
  if (!first || !second) return null;
  const latest = board.games.at(-1);
  return (
    <li class={me !== null && board.players.includes(me) ? "covered you" : "covered"}>
      {latest && (
        <a class="cover" href={at(`/match/${latest.match}`)}>
          <span class="hidden">
            {first.name} – {second.name}
          </span>
        </a>
      )}
      <span class="one">
        <Name name={first.name} profile={first.profile} />
      </span>
      <span class="result figures">{resultText(board) || (board.appointment ? "" : "–")}</span>
      <span class="other">
        <Name name={second.name} profile={second.profile} />
      </span>
      {board.appointment && board.games.length === 0 && !board.points && (
        <span class="when muted small figures">{moment(board.appointment)}</span>
      )}
      {board.games.length > 1 && (
        <span class="when small">
          {board.games.map((game, place) => (
            <a key={game.match} href={at(`/match/${game.match}`)}>
              {t("tournament.game", { number: place + 1 })}
            </a>
          ))}
        </span>
      )}
    </li>
  );
}

function Bye({ tournament, round }: { tournament: Tournament; round: number }) {
  const free = tournament.players.filter((player) => {
    const result = player.results[round - 1];
    return result && result.opponent === null && result.points !== null && result.points > 0;
  });
  return (
    <>
      {free.map((player) => (
        <li key={player.player}>
          <span class="one">{player.name}</span>
          <span class="result muted small">{t("tournament.bye")}</span>
          <span class="other" />
        </li>
      ))}
    </>
  );
}
