import { at } from "../client";
import { count, t } from "../i18n";
import type { MatchCard } from "../wire";
import { Picture } from "./board";
import { endingText } from "./ending";
import { gameOf } from "./games";
import { useLoaded } from "./loaded";
import { timeText } from "./time";

/** A match in a list: its board, players and status. */
export function Card({ match }: { match: MatchCard }) {
  const { value } = useLoaded(() => gameOf(match.game.id), [match.game.id]);
  const phase = match.phase === "play" ? count("card.moves", match.ply) : t(`card.${match.phase}`);
  return (
    <li class="card">
      <a class="card-link card" href={at(`/match/${match.match}`)}>
        <div class="living" aria-hidden="true">
          {value && <Picture files={match.game.files} ranks={match.game.ranks} kinds={value.pieces} fen={match.fen} />}
        </div>
        <h3>
          {match.players.white} – {match.players.black}
        </h3>
        <p class="small">
          {match.game.name} · {timeText(match.time)}
        </p>
        <p class="muted small">{match.ending ? endingText(match.ending) : phase}</p>
        {match.your_turn && (
          <p>
            <span class="mark">{t("match.yourTurn")}</span>
          </p>
        )}
      </a>
    </li>
  );
}
