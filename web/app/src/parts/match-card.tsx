import { at } from "../client";
import { count, t } from "../i18n";
import { isLocal } from "../local/id";
import type { MatchCard } from "../wire";
import { Picture, Shape } from "./board";
import { endingText } from "./ending";
import { gameOf } from "./games";
import { useLoaded } from "./loaded";
import { Players } from "./name";
import { timeLeft, timeText } from "./time";

/** A match in a list: its board, players and status, with or without a title. */
export function Card({ match, title }: { match: MatchCard; title?: string }) {
  const { value } = useLoaded(() => gameOf(match.game.id), [match.game.id]);
  const phase = match.phase === "play" ? count("card.moves", match.ply) : t(`card.${match.phase}`);
  return (
    <li class="card covered">
      <a class="card-link cover" href={at(`/match/${match.match}`)}>
        <span class="hidden">
          {match.game.name}: {match.players.white} – {match.players.black}
        </span>
      </a>
      <Shape of={match.game}>
        {value && (
          <Picture files={match.game.files} ranks={match.game.ranks} pieceTypes={value.pieces} fen={match.fen} />
        )}
      </Shape>
      {title && <h2>{title}</h2>}
      <h3>
        <Players {...match} />
      </h3>
      <p class="small">
        {match.game.name} · {isLocal(match.match) ? t("local.here") : timeText(match.time)}
        {match.rated && ` · ${t("match.rated")}`}
      </p>
      <p class="muted small">{match.ending ? endingText(match.ending) : phase}</p>
      {match.your_turn && (
        <p>
          <span class="mark">{t("match.yourTurn")}</span>{" "}
          {match.deadline !== null && match.time.kind === "correspondence" && (
            <span class="small">{t("card.left", { time: timeLeft(match.deadline - Date.now()) })}</span>
          )}
        </p>
      )}
    </li>
  );
}
