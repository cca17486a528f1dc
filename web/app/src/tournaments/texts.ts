import { count, language, t } from "../i18n";
import { moment } from "../people/notice";
import type { TieBreak, Tournament, TournamentBoard, TournamentCard, TournamentPlayer } from "../wire";

/** How a tournament is played, in a line: its kind, rounds and how its games are timed. */
export function kindText({ kind, rounds, by_appointment: appointment }: TournamentCard): string {
  const parts = [t(`tournament.kind.${kind}`)];
  if (rounds !== null && kind !== "simul") parts.push(count("tournament.rounds", rounds));
  if (appointment) parts.push(t("tournament.byAppointment"));
  return parts.join(" · ");
}

/** When it starts, which round is played, or who won. */
export function stateText({ phase, round, rounds, starts_at: at, winner }: TournamentCard): string {
  if (phase === "cancelled") return t("tournament.cancelled");
  if (phase === "over") return winner ? t("tournament.won", { name: winner }) : t("tournament.over");
  if (phase === "running") return rounds && round ? t("tournament.round", { round, rounds }) : t("tournament.running");
  return startText(at);
}

/** When something starts: in some minutes, or the day and the hour. */
export function startText(at: number): string {
  const minutes = Math.ceil((at - Date.now()) / 60_000);
  if (minutes <= 0) return t("tournament.soon");
  return minutes <= 90 ? count("tournament.in", minutes) : moment(at);
}

/** Points as players write them: with halves. */
export function points(value: number): string {
  const whole = Math.floor(value);
  const half = value - whole >= 0.5 ? "½" : "";
  return whole === 0 && half ? half : `${whole}${half}`;
}

/** A tie-break, which may have quarters. */
export const figure = (value: number) =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: 2 }).format(value);

/** The name of a tie-break. */
export const tieBreakText = (name: TieBreak) => t(`tieBreak.${name === "BH-C1" ? "BHC1" : name}`);

export const byNumber = (tournament: Tournament): Map<number, TournamentPlayer> =>
  new Map(tournament.players.map((player) => [player.player, player]));

/** The points of both players of a pair that is decided, as texts. */
export function sharesOf({ points: shares, games }: TournamentBoard): string[] | null {
  // The result of several games is the sum of their points.
  const sum = games.reduce((total, game) => total + (game.points ?? 0), 0);
  return shares && (games.length > 1 ? [sum, games.length - sum] : shares).map(points);
}

/** The result of a pair: the first player's points before the second's. */
export const resultText = (board: TournamentBoard): string =>
  sharesOf(board)?.join("–") ?? (board.games.some((game) => game.points === null) ? "•" : "");
