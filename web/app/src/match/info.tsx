import { at } from "../client";
import { count, t } from "../i18n";
import { isLocal } from "../local/id";
import { EmbedCode } from "../parts/copy-text";
import { Later } from "../parts/later";
import { nameOf as optionName } from "../parts/option";
import { timeText } from "../parts/time";
import type { Game, Snapshot } from "../wire";
import type { Match } from "./match";
import { PgnLink } from "./pgn-link";
import { CopyLink } from "./waiting";

/** The game, clock, setup and options of a match, the link for spectators and the PGN. */
export function Info({ match, state, game }: { match: Match; state: Snapshot; game: Game }) {
  const { watchers } = match.presence.value;
  const options = Object.entries(state.game.options);
  return (
    <div class="info">
      <dl>
        <dt>{t("new.game")}</dt>
        <dd>
          {state.game.name} · <a href={at(`/learn/${encodeURIComponent(game.id)}`)}>{t("new.rules")}</a>
        </dd>
        <dt>{t("time.clock")}</dt>
        <dd>
          {timeText(state.time)}
          {state.rated && ` · ${t("match.rated")}`}
        </dd>
        {state.setup && <dt>{t("new.setup")}</dt>}
        {state.setup && (
          <dd>
            <code>{state.setup}</code>
          </dd>
        )}
        {state.from_position && <dt>{t("new.from")}</dt>}
        {state.from_position && <dd>{t("new.from.position")}</dd>}
        {options.length > 0 && <dt>{t("new.options")}</dt>}
        {options.map(([name, value]) => (
          <dd key={name}>
            {optionName(name)}: {optionName(value)}
          </dd>
        ))}
      </dl>
      {state.tournament && (
        <p>
          <a href={at(`/tournaments/${state.tournament}`)}>{t("tournament.of")}</a>
        </p>
      )}
      {state.seat && state.seat !== "both" && (
        <Later load={() => import("./own-note").then((its) => its.OwnNote)} match={match.id} />
      )}
      {watchers > 0 && state.opponent !== "import" && <p class="muted small">{count("info.watchers", watchers)}</p>}
      {isLocal(match.id) ? (
        <p>{t("local.info")}</p>
      ) : (
        <>
          <p>{t("info.watch")}</p>
          <CopyLink link={new URL(at(`/match/${match.id}`), location.href).href} label={t("info.watch")} />
          <p>{t("embed.code")}</p>
          <EmbedCode path={`match/${match.id}`} game={game} />
        </>
      )}
      <p>
        <PgnLink match={match} label={t("info.pgn")} />
      </p>
    </div>
  );
}
