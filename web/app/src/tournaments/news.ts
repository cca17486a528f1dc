import type { Tournament, TournamentNews } from "../wire";

/** A tournament after news of it, which may have only what has changed. */
export function merged(before: Tournament | null, news: TournamentNews): Tournament | null {
  const { tournament, since } = news;
  if (since === null) return tournament;
  if (!before) return null;
  const players = new Map([...before.players, ...tournament.players].map((player) => [player.player, player]));
  const boards = new Map([...before.boards, ...tournament.boards].map((board) => [board.board, board]));
  return {
    ...tournament,
    players: news.order.flatMap((number, place) => {
      const player = players.get(number);
      return player ? [{ ...player, rank: news.ranks[place] ?? player.rank }] : [];
    }),
    boards: news.listed.flatMap((number) => boards.get(number) ?? []),
  };
}

/**
 * A key that changes when the server has to be asked again what somebody may do in a tournament. Most changes of an
 * arena do not count: there are several a second, and hundreds of people watch.
 */
export function concerning(tournament: Tournament, me: number | null): string {
  const { settings, phase, round, players } = tournament;
  if (settings.appointment_days) return String(tournament.number);
  const active = players.filter((player) => player.active);
  const isFull = active.length >= (settings.max_players ?? 64);
  return [phase, round, isFull, active.some((player) => player.player === me)].join(" ");
}
