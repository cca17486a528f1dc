import { expect, test } from "vitest";
import {
  DAY,
  dueNow,
  failed,
  fromEasy,
  merged,
  nextDue,
  nextPuzzle,
  readTraining,
  rushed,
  solved,
  train,
  training,
} from "../src/learn/training";
import type { PuzzleEntry } from "../src/wire";

const none = readTraining(null);
const one = { game: "magi", number: 1 };
const two = { game: "maasai", number: 2 };

test("a failed puzzle returns after a day, and a week after it is solved", () => {
  const day = failed(none, one, 0);
  expect([dueNow(day, DAY - 1), dueNow(day, DAY)]).toEqual([[], [one]]);
  const week = solved(day, one, DAY);
  expect([nextDue(week), dueNow(week, 8 * DAY - 1), dueNow(week, 8 * DAY)]).toEqual([8 * DAY, [], [one]]);
  const done = solved(week, one, 8 * DAY);
  expect([dueNow(done, 99 * DAY), nextDue(done), done.solved]).toEqual([[], null, { magi: [1] }]);
});

test("a puzzle failed again starts over, and one solved too early still returns", () => {
  const week = solved(failed(none, one, 0), one, DAY);
  expect(nextDue(failed(week, one, 8 * DAY))).toBe(9 * DAY);
  expect(solved(failed(week, one, 8 * DAY), one, 9 * DAY).returns["magi/1"]).toEqual({
    due: 16 * DAY,
    last: true,
    at: 9 * DAY,
  });
  expect(nextDue(solved(failed(none, one, 0), one, DAY - 1))).toBe(DAY);
  expect(dueNow(failed(failed(none, one, 5), two, 0), 2 * DAY)).toEqual([two, one]);
});

const entry = (number: number, difficulty: PuzzleEntry["difficulty"], rating = 1500): PuzzleEntry => ({
  number,
  difficulty,
  themes: [],
  rating,
});
const entries = [entry(1, "hard"), entry(2, "easy"), entry(3, "medium"), entry(4, "easy")];

test("with a rating the nearest puzzle comes next, without those solved or failed", () => {
  const rated = [entry(1, "easy", 1100), entry(2, "hard", 1800), entry(3, "medium", 1480), entry(4, "medium", 1560)];
  expect(nextPuzzle(rated, none, "magi", 0, 1500)).toBe(3);
  expect(nextPuzzle(rated, none, "magi", 3, 1500)).toBe(4);
  const later = failed(solved(none, { game: "magi", number: 3 }, 0), { game: "magi", number: 4 }, 0);
  expect([nextPuzzle(rated, later, "magi", 0, 1500), nextPuzzle(rated, later, "magi", 0, 1000)]).toEqual([2, 1]);
});

test("puzzles come in order of difficulty, without those solved or failed", () => {
  expect(fromEasy(entries).map(({ number }) => number)).toEqual([2, 4, 3, 1]);
  expect(fromEasy(entries, () => 0.99).map(({ number }) => number)).toEqual([2, 4, 3, 1]);
  const numbers = [0.5, 0.9, 0.5, 0.1];
  expect(fromEasy(entries, () => numbers.shift() ?? 0).map(({ number }) => number)).toEqual([4, 2, 3, 1]);
  expect(nextPuzzle(entries, none, "magi")).toBe(2);
  expect(nextPuzzle(entries, none, "magi", 2)).toBe(4);
  const later = failed(solved(none, { game: "magi", number: 2 }, 0), { game: "magi", number: 4 }, 0);
  expect([nextPuzzle(entries, later, "magi"), nextPuzzle(entries, later, "maasai")]).toEqual([3, 2]);
  expect(nextPuzzle(entries.slice(1, 2), later, "magi")).toBe(null);
});

test("the best rush is kept for each game and duration", () => {
  const best = rushed(rushed(rushed(none, "magi", 3, 7), "magi", 3, 5), "magi", 5, 6);
  expect(best.best).toEqual({ "magi/3": 7, "magi/5": 6 });
});

test("merging two browsers keeps the progress of both", () => {
  const here = rushed(failed(solved(none, one, 0), two, 9), "magi", 3, 4);
  const there = rushed(failed(solved(none, { game: "magi", number: 5 }, 0), two, 2), "magi", 3, 6);
  const both = {
    solved: { magi: [1, 5] },
    returns: { "maasai/2": { due: DAY + 9, last: false, at: 9 } },
    best: { "magi/3": 6 },
  };
  expect(merged(here, there)).toEqual(both);
  expect(merged(there, here).returns).toEqual(both.returns);
  expect(merged(here, none)).toEqual(here);
});

test("a puzzle that is over on one device does not come back from another", () => {
  const week = solved(failed(none, one, 0), one, DAY);
  const done = solved(week, one, 8 * DAY);
  for (const both of [merged(week, done), merged(done, week)]) expect(nextDue(both)).toBe(null);
  expect(nextDue(merged(done, failed(done, one, 9 * DAY)))).toBe(10 * DAY);
});

test("stored progress is read back without its unreadable parts", () => {
  train(failed(solved(none, one, 0), two, 0));
  expect(readTraining(JSON.parse(localStorage.getItem("acedrex.puzzles") ?? ""))).toEqual(training.value);
  const broken = { solved: { magi: [1, "x", -1], maasai: 3 }, returns: { "magi/1": 5, bad: { due: 1 } }, best: [] };
  expect(readTraining(broken)).toEqual({ solved: { magi: [1] }, returns: {}, best: {} });
});
