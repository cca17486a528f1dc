import { beforeEach, expect, test } from "vitest";
import { save } from "../src/client/storage";
import { fits, lastChoice, QUICK } from "../src/parts/play-now";
import type { Challenge, TimeControl } from "../src/wire";

const fischer = (minutes: number): TimeControl => ({
  kind: "fischer",
  initial_ms: minutes * 60_000,
  increment_ms: 5000,
});
const days = (days_per_turn: number): TimeControl => ({ kind: "correspondence", days_per_turn, reserve_days: 7 });
const open = (time: TimeControl, game = "magi", options: Record<string, string> = {}): Challenge => ({
  match: "m",
  by: "Bob",
  profile: null,
  mine: false,
  rated: false,
  rating: null,
  game: { game, options, name: game },
  side: "random",
  time,
  at: 0,
});
const live = { game: "magi", pace: "live" } as const;

beforeEach(() => localStorage.clear());

test("a challenge fits that is of the same game and about as fast", () => {
  expect([4, 5, 10, 30, 31].map((minutes) => fits(open(fischer(minutes)), live))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(fits(open(days(3)), live)).toBe(false);
  expect(fits(open({ kind: "none" }), live)).toBe(false);
  expect([1, 7, 8].map((number) => fits(open(days(number)), { ...live, pace: "days" }))).toEqual([true, true, false]);
  expect(fits(open(fischer(10)), { ...live, pace: "days" })).toBe(false);
});

test("other games, and games with other options, do not fit", () => {
  expect(fits(open(fischer(10), "metamachy"), live)).toBe(false);
  expect(fits(open(fischer(10), "magi", { scoring: "four_points" }), live)).toBe(false);
  expect(fits({ ...open(fischer(10)), rated: true }, live)).toBe(false);
});

test("the first choice is the gentlest game, and there are at most nine with the last", () => {
  expect(lastChoice()).toEqual(live);
  expect(2 * QUICK.length + 1).toBeLessThanOrEqual(9);
  expect(QUICK.slice(0, 2)).toEqual(["magi", "metamachy"]);
  save("play-now", { game: "maasai", pace: "days" });
  expect(lastChoice()).toEqual({ game: "maasai", pace: "days" });
  save("play-now", { game: 7 });
  expect(lastChoice()).toEqual(live);
});
