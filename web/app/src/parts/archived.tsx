import { at } from "../client";
import { count, t } from "../i18n";
import type { Archived } from "../wire";
import { endingText } from "./ending";
import { Players } from "./name";

/** Days are in UTC, as in the filters; a PGN has a date without a time. */
const DAY = { dateStyle: "medium", timeZone: "UTC" } as const;

/** A finished match in a list. */
export function ArchivedRow({ match }: { match: Archived }) {
  return (
    <li class="covered">
      <div class="what">
        <a class="cover" href={at(`/match/${match.match}`)}>
          <span class="hidden">
            {match.players.white} – {match.players.black}
          </span>
        </a>
        <strong>
          <Players {...match} />
        </strong>
        <p class="small">{endingText(match.ending)}</p>
        <p class="muted small figures">
          {[
            match.game.name,
            match.setup,
            count("card.moves", match.moves),
            new Date(match.at).toLocaleDateString(document.documentElement.lang, DAY),
            match.imported && t("archive.imported"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <span class="score figures">{match.ending.score.replace("1/2-1/2", "½–½")}</span>
    </li>
  );
}
