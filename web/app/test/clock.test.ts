import { expect, test } from "vitest";
import { clockText, read } from "../src/match/clock";
import type { Clock, TimeControl } from "../src/wire";

const fischer: TimeControl = { kind: "fischer", initial_ms: 600_000, increment_ms: 5000 };
const byoyomi: TimeControl = { kind: "byoyomi", initial_ms: 60_000, period_ms: 30_000, periods: 3 };
const clock: Clock = {
  white_ms: 20_000,
  black_ms: 90_000,
  running: "white",
  periods: null,
  reserve: null,
  off: { white: null, black: null },
  at: 1000,
};

test("days are shown with hours, and a new turn shows its full number of days", () => {
  const days = (count: number) => `${count} days`;
  const hour = 3_600_000;
  expect(clockText(72 * hour, days)).toBe("3 days");
  expect(clockText(72 * hour - 1000, days)).toBe("3 days");
  expect(clockText(71 * hour, days)).toBe("2 days 23 h");
  expect(clockText(48 * hour, days)).toBe("2 days");
  expect(clockText(47.5 * hour, days)).toBe("47:30:00");
});

test("only the clock of the side to move runs", () => {
  expect(read(clock, "white", fischer, 6000).ms).toBe(15_000);
  expect(read(clock, "black", fischer, 6000).ms).toBe(90_000);
});

test("a clock stops at zero and never counts up", () => {
  expect(read(clock, "white", fischer, 99_000).ms).toBe(0);
  expect(read(clock, "white", fischer, 0).ms).toBe(20_000);
});

test("byo-yomi moves on to the next period", () => {
  const periods = { white: 3, black: 3 };
  expect(read({ ...clock, periods }, "white", byoyomi, 1000 + 25_000)).toMatchObject({ ms: 25_000, periods: 2 });
  expect(read({ ...clock, periods }, "white", byoyomi, 1000 + 200_000)).toMatchObject({ ms: 0, periods: 0 });
});

test("only a running clock warns of low time", () => {
  expect(read(clock, "white", fischer, 1000).low).toBe(true);
  expect(read({ ...clock, white_ms: 70_000 }, "white", fischer, 1000).low).toBe(false);
  expect(read({ ...clock, running: null }, "white", fischer, 1000).low).toBe(false);
  // The reserve is time too.
  const days: TimeControl = { kind: "correspondence", days_per_turn: 1, reserve_days: 3 };
  const low = (reserve: number) => read({ ...clock, reserve: { white: reserve, black: 0 } }, "white", days, 1000).low;
  expect([low(3 * 86_400_000), low(0)]).toEqual([false, true]);
});

test.each([
  [0, "0:00.0"],
  [50, "0:00.1"],
  [9_950, "0:10.0"],
  [10_000, "0:10"],
  [59_001, "1:00"],
  [61_000, "1:01"],
  [3_600_000, "1:00:00"],
  [3 * 86_400_000, "3 days"],
])("%i ms is shown as %s", (ms, text) => {
  expect(clockText(ms, (days) => `${days} days`)).toBe(text);
});

test("correspondence uses up the days for the turn, then the reserve", () => {
  const days: TimeControl = { kind: "correspondence", days_per_turn: 2, reserve_days: 3 };
  const reserve = { white: 50_000, black: 50_000 };
  expect(read({ ...clock, reserve }, "white", days, 1000 + 10_000)).toMatchObject({ ms: 10_000, reserve_ms: 50_000 });
  expect(read({ ...clock, reserve }, "white", days, 1000 + 30_000)).toMatchObject({ ms: 0, reserve_ms: 40_000 });
});

test("a clock stands still in days off, and runs from their end on", () => {
  const resting = { ...clock, off: { white: 5000, black: null } };
  expect(read(resting, "white", fischer, 4000).ms).toBe(20_000);
  expect(read(resting, "white", fischer, 6000).ms).toBe(19_000);
});
