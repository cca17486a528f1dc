import { playSound } from "@acedrex/board";
import { Bot, Circle, TimerReset } from "lucide";
import { useEffect } from "preact/hooks";
import { at, settings } from "../client";
import { count, t } from "../i18n";
import { isLocal } from "../local/id";
import type { Dock } from "../parts/board";
import { Icon } from "../parts/icon";
import { Name } from "../parts/name";
import { ratingText } from "../parts/rating";
import type { MatchRatings, Series, Side, Snapshot } from "../wire";
import { clockText, now, read, tick } from "./clock";
import type { Match } from "./match";
import { pointsText } from "./points";

/** A player's name, whether they are online, their clock, and a place for the pieces that they have captured. */
export function PlayerStrip({
  match,
  state,
  side,
  place,
  captured,
}: {
  match: Match;
  state: Snapshot;
  side: Side;
  place: "above" | "below";
  captured: Dock;
}) {
  const player = state.players[side];
  const here = player.kind === "engine" || match.presence.value[side];
  const turn = state.phase === "play" && state.position.turn === side;
  return (
    <section
      class={`player ${place}${turn ? " turn" : ""}`}
      aria-label={t(side === "white" ? "side.white" : "side.black")}
    >
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="who">
        <strong>
          {player.house ? (
            <a href={at(`/engines/${player.house}`)}>{player.name}</a>
          ) : (
            <Name name={nameOf(player)} profile={player.profile} />
          )}
        </strong>
        {state.ratings && <RatingOf ratings={state.ratings} side={side} />}
        {player.kind === "engine" && <Icon of={Bot} size={18} />}
        {state.series && <Points series={state.series} side={side} />}
        {player.kind === "guest" && state.seat !== "both" && state.opponent !== "import" && !isLocal(match.id) && (
          <span class={here ? "here" : "away"}>
            <Icon of={Circle} size={10} />
            <span class={here ? "hidden" : "small"}>{t(here ? "match.here" : "match.away")}</span>
          </span>
        )}
      </span>
      {state.clock && <ClockFace match={match} state={state} side={side} />}
      <div class="captured-dock" ref={captured} />
    </section>
  );
}

/** A player's rating, and by how much the match has changed it. */
function RatingOf({ ratings, side }: { ratings: MatchRatings; side: Side }) {
  const rating = ratings[side];
  const change = ratings.changes?.[side];
  return (
    <span class="figures small">
      {rating && ratingText(rating)}
      {change !== undefined && (
        <span class={change < 0 ? "loss" : "gain"}>
          {" "}
          {change < 0 ? "−" : "+"}
          {Math.abs(change)}
        </span>
      )}
    </span>
  );
}

/** The score of the series, a player's own points first. */
function Points({ series, side }: { series: Series; side: Side }) {
  const [mine, theirs] = side === "white" ? [series.white, series.black] : [series.black, series.white];
  const score = `${pointsText(mine)} : ${pointsText(theirs)}`;
  return (
    <span class="points figures" title={t("match.series", { score, games: count("match.games", series.games) })}>
      <span class="hidden">{t("match.series", { score, games: count("match.games", series.games) })}</span>
      <span aria-hidden="true">{score}</span>
    </span>
  );
}

export function nameOf(player: Snapshot["players"][Side]): string {
  if (player.kind === "nobody") return t("match.nobody");
  if (player.kind === "engine" && player.level !== null && !player.house)
    return t("match.engine", { level: player.level });
  return player.name;
}

function ClockFace({ match, state, side }: { match: Match; state: Snapshot; side: Side }) {
  const clock = state.clock;
  const runs = clock?.running === side && state.phase !== "over";
  useEffect(() => (runs ? tick() : undefined), [runs]);
  const moment = runs ? now.value + match.aheadMs.value : (clock?.at ?? 0);
  const reading = clock && read(clock, side, state.time, moment);
  const warn = reading?.low === true && state.seat === side;
  useEffect(() => {
    if (warn && settings.value.sounds === "on") playSound("low");
  }, [warn]);
  if (!reading) return null;
  const { ms, periods, reserve_ms, low } = reading;
  const text = clockText(ms, (days) => count("days", days));
  return (
    <span class={`clock figures${runs ? " runs" : ""}${low ? " low" : ""}`} role="timer" aria-live="off">
      {low && <Icon of={TimerReset} size={18} />}
      {text}
      {periods !== null && <span class="periods">+{periods}</span>}
      {reserve_ms !== null && <span class="periods">+{clockText(reserve_ms, (days) => count("days", days))}</span>}
      {warn && (
        <span class="hidden" role="status">
          {t("match.low")}
        </span>
      )}
    </span>
  );
}
