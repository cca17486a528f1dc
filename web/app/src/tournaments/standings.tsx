import { Bot, Flame } from "lucide";
import { at } from "../client";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Name } from "../parts/name";
import { ratingText } from "../parts/rating";
import type { RoundResult, Tournament, TournamentPlayer } from "../wire";
import { figure, points, tieBreakText } from "./texts";

/** The players in order, with their points, tie-breaks and results round by round. */
export function Standings({ tournament, me }: { tournament: Tournament; me: number | null }) {
  const { phase, players, tie_breaks: tieBreaks } = tournament;
  const { kind } = tournament.settings;
  const begun = phase === "running" || phase === "over";
  const everybody = new Map(players.map((player, place) => [player.player, { ...player, line: place + 1 }]));
  const rounds = kind === "arena" ? 0 : Math.max(0, ...players.map((player) => player.results.length));
  const crosses = kind === "round_robin" && begun;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
    <section class="scrolls" tabIndex={0} aria-label={t("tournament.standings")}>
      <table class="standings figures">
        <caption class="hidden">{t("tournament.standings")}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t("ratings.place")}
            </th>
            <th scope="col">{t("ratings.name")}</th>
            {begun && (
              <th scope="col" class="number">
                {t("tournament.points")}
              </th>
            )}
            {crosses && players.map((player, place) => <Head key={player.player} text={String(place + 1)} />)}
            {!crosses &&
              begun &&
              Array.from({ length: rounds }, (_, round) => <Head key={round} text={String(round + 1)} />)}
            {kind === "arena" && begun && <th scope="col">{t("tournament.games.played")}</th>}
            {begun &&
              tieBreaks.map((name) => (
                <th key={name} scope="col" class="number">
                  <abbr title={tieBreakText(name)}>{name}</abbr>
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {players.map((player, place) => (
            <tr key={player.player} class={player.player === me ? "you" : undefined}>
              {/* Who is level with the one above has the same place, and the number of a line of their own. */}
              <td class={player.rank === place + 1 ? "number" : "number muted"}>{begun ? place + 1 : ""}</td>
              <th scope="row">
                <Who player={player} />
              </th>
              {begun && <td class="number total">{points(player.points)}</td>}
              {crosses && players.map((other) => <Cross key={other.player} player={player} other={other} />)}
              {!crosses &&
                begun &&
                Array.from({ length: rounds }, (_, round) => (
                  <Cell key={round} result={player.results[round]} everybody={everybody} />
                ))}
              {kind === "arena" && begun && <Sheet player={player} />}
              {begun &&
                player.tie_breaks.map((value, place) => (
                  <td key={tieBreaks[place]} class="number muted">
                    {figure(value)}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A player with the number of their line. */
type Numbered = TournamentPlayer & { line: number };

const Head = ({ text }: { text: string }) => (
  <th scope="col" class="cell">
    {text}
  </th>
);

export function Who({ player }: { player: TournamentPlayer }) {
  return (
    <span class={player.active ? "who" : "who muted"}>
      {player.house ? (
        <a href={at(`/engines/${player.house}`)}>
          {player.name} <Icon of={Bot} size={16} />
        </a>
      ) : (
        <Name name={player.name} profile={player.profile} />
      )}{" "}
      <span class="muted small">{ratingText(player.rating)}</span>
      {player.on_fire && (
        <span class="fire" title={t("tournament.fire")}>
          <Icon of={Flame} size={16} />
          <span class="hidden">{t("tournament.fire")}</span>
        </span>
      )}
      {!player.active && <span class="small"> {t("tournament.withdrawn")}</span>}
    </span>
  );
}

/** What a player did in a round: points, opponent and colour. */
function Cell({ result, everybody }: { result: RoundResult | undefined; everybody: Map<number, Numbered> }) {
  if (!result) return <td class="cell" />;
  const other = result.opponent === null ? null : everybody.get(result.opponent);
  if (!other)
    return (
      <td class="cell muted" title={t("tournament.bye")}>
        {result.points ? points(result.points) : "–"}
        <span class="hidden"> {t("tournament.bye")}</span>
      </td>
    );
  const side = t(result.side === "black" ? "match.black" : "match.white");
  return (
    <td class="cell" title={`${other.name}, ${side}`}>
      <span class={result.points === 1 ? "won" : result.points === 0 ? "lost" : ""}>
        {result.points === null ? "•" : result.unplayed ? (result.points ? "+" : "−") : points(result.points)}
      </span>
      <span class={`small opponent ${result.side ?? ""}`}>
        {other.line}
        <span class="hidden">
          {" "}
          {other.name}, {side}
        </span>
      </span>
    </td>
  );
}

/** The results of a player against another one, in a round robin. */
function Cross({ player, other }: { player: TournamentPlayer; other: TournamentPlayer }) {
  if (player.player === other.player) return <td class="cell diagonal" />;
  const against = player.results.filter((result) => result.opponent === other.player && result.points !== null);
  return (
    <td class="cell" title={other.name}>
      {against.map((result) => (result.unplayed ? (result.points ? "+" : "−") : points(result.points ?? 0))).join(" ")}
    </td>
  );
}

/** The points of the latest games of a player of an arena. */
const Sheet = ({ player }: { player: TournamentPlayer }) => (
  <td class="sheet">
    {player.results
      .filter((result) => result.points !== null)
      .slice(-12)
      .map((result) => (
        <span key={result.round} class={(result.points ?? 0) > 2 ? "double" : undefined}>
          {result.points}
        </span>
      ))}
  </td>
);
