import { at } from "../client";
import { count, t } from "../i18n";
import { timeText } from "../parts/time";
import type { TournamentCard } from "../wire";
import { kindText, stateText } from "./texts";

/** A tournament in a list. */
export function Entry({ card }: { card: TournamentCard }) {
  return (
    <li class="covered">
      <div class="what">
        <a class="cover" href={at(`/tournaments/${card.tournament}`)}>
          <span class="hidden">{card.name}</span>
        </a>
        <h3>
          {card.name} {card.mine && <span class="mark">{t("tournament.mine")}</span>}
        </h3>
        <p class="small">
          {card.game} · {kindText(card)}
          {card.rated && ` · ${t("match.rated")}`}
        </p>
        <p class="muted small figures">
          {timeText(card.time)} · {count("tournament.players", card.players)}
        </p>
      </div>
      <p class="small figures">{stateText(card)}</p>
    </li>
  );
}
