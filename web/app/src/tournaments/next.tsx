import { at } from "../client";
import { t } from "../i18n";
import type { TournamentCard } from "../wire";
import { Entry } from "./card";

/** The tournament of the front page, and the way to all others. */
export function NextTournament({ next }: { next: TournamentCard | null }) {
  return (
    <section aria-labelledby="next-tournament">
      <h2 id="next-tournament" class="small-heading">
        <a href={at("/tournaments")}>{t("tournaments")}</a>
      </h2>
      {next && (
        <ul class="challenges">
          <Entry card={next} />
        </ul>
      )}
    </section>
  );
}
