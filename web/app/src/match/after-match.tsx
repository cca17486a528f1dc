import { at } from "../client";
import { t } from "../i18n";
import { newGameAt } from "../parts/links";
import type { Snapshot } from "../wire";
import type { Match } from "./match";

/** What people do after a match: play again, look at it, or play something else. */
export function AfterMatch({ match, state }: { match: Match; state: Snapshot }) {
  const { rematch } = state;
  return (
    <div class="after-match">
      {rematch ? (
        <a class="button primary" href={at(`/match/${rematch}`)}>
          {t("act.toRematch")}
        </a>
      ) : (
        state.may.includes("rematch") && (
          <button type="button" class="primary" onClick={() => match.command({ type: "offer", what: "rematch" })}>
            {t("act.rematch")}
          </button>
        )
      )}
      {state.tournament && (
        <a class="button primary" href={at(`/tournaments/${state.tournament}`)}>
          {t("tournament.back")}
        </a>
      )}
      {state.moves.length > 0 && (
        <a class="button" href={at(`/analysis?match=${encodeURIComponent(match.id)}`)}>
          {t("act.analyse")}
        </a>
      )}
      {state.moves.length > 0 && state.seat && (
        <a class="button learn" href={at(`/analysis?match=${encodeURIComponent(match.id)}&learn=`)}>
          {t("mistakes")}
        </a>
      )}
      <a
        class="button"
        href={newGameAt({
          game: state.game.game,
          options: state.game.options,
          ...(state.from_position && { fen: state.start_fen }),
        })}
      >
        {t("act.new")}
      </a>
    </div>
  );
}
