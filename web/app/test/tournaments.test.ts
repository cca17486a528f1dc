import { expect, test } from "vitest";
import { concerning, merged } from "../src/tournaments/news";
import type { Tournament, TournamentBoard, TournamentNews, TournamentPlayer } from "../src/wire";

const player = (number: number, rank: number, points = 0): TournamentPlayer => ({
  player: number,
  name: `P${number}`,
  profile: null,
  house: null,
  rating: { rating: 1500, provisional: true },
  rank,
  points,
  tie_breaks: [],
  active: true,
  on_fire: false,
  results: [],
});

const board = (number: number, players: number[], points: number[] | null = null): TournamentBoard => ({
  board: number,
  round: 1,
  players,
  games: [],
  points,
  appointment: null,
  until: null,
  there: [],
});

const whole: Tournament = {
  tournament: "t",
  number: 5,
  name: "An arena",
  description: "",
  by: null,
  profile: null,
  settings: {
    kind: "arena",
    game: { game: "chess" },
    time: { kind: "fischer", initial_ms: 60_000, increment_ms: 0 },
    starts_at: 0,
    max_players: 3,
  },
  game: "Chess",
  phase: "running",
  starts_at: 0,
  ends_at: 1,
  round: 0,
  rounds: null,
  next_round_at: null,
  players: [player(1, 1), player(2, 2), player(3, 3)],
  bracket: [],
  boards: [board(0, [1, 2]), board(1, [2, 3])],
  tie_breaks: [],
};

test("what has changed takes the place of what was there, and all have their new ranks", () => {
  const news: TournamentNews = {
    type: "tournament",
    tournament: {
      ...whole,
      number: 7,
      players: [player(3, 1, 2)],
      boards: [board(1, [2, 3], [0, 2]), board(2, [1, 3])],
    },
    since: 5,
    order: [3, 1, 2],
    ranks: [1, 2, 2],
    listed: [1, 2],
  };
  const found = merged(whole, news);
  expect(found?.number).toBe(7);
  expect(found?.players).toEqual([player(3, 1, 2), player(1, 2), player(2, 2)]);
  expect(found?.boards).toEqual([board(1, [2, 3], [0, 2]), board(2, [1, 3])]);
  expect(merged(null, { ...news, tournament: whole, since: null })).toEqual(whole);
});

test("the games of others do not concern me, but places, phases and my own withdrawal do", () => {
  const before = concerning(whole, 1);
  const withdrawn = { ...player(1, 1), active: false };
  expect(concerning({ ...whole, number: 9, boards: [] }, 1)).toBe(before);
  expect(concerning({ ...whole, phase: "over" }, 1)).not.toBe(before);
  expect(concerning({ ...whole, players: [withdrawn, ...whole.players.slice(1)] }, 1)).not.toBe(before);
  expect(concerning({ ...whole, players: whole.players.slice(0, 2) }, null)).not.toBe(concerning(whole, null));
  const slow = { ...whole, settings: { ...whole.settings, appointment_days: 7 } };
  expect(concerning({ ...slow, number: 9 }, 1)).not.toBe(concerning(slow, 1));
});
