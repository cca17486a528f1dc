import { expect, test } from "vitest";
import { fenOf, pieces, tapped } from "../src/learn/placement";
import {
  before,
  daySolved,
  exerciseSolved,
  firstGameProgress,
  saveFirstGame,
  solvedDays,
  solvedExercises,
  streak,
} from "../src/learn/progress";
import { isExpected, legalReach, squaresOf, stepsOf } from "../src/learn/steps";
import type { Example, Game, Position } from "../src/wire";
import { legalMove } from "./fake-server";

const cannon = { at: "f6", letter: "C", others: { f8: "enemy" as const } };

test("taps place other pieces, remove them and move the piece", () => {
  expect(tapped(cannon, "b6", "friend").others).toEqual({ f8: "enemy", b6: "friend" });
  expect(tapped(cannon, "f8", "enemy").others).toEqual({});
  expect(tapped(cannon, "f8", "friend").others).toEqual({ f8: "friend" });
  expect(tapped(cannon, "f8", "move")).toEqual({ at: "f8", letter: "C", others: {} });
  expect(tapped(cannon, "f6", "enemy")).toBe(cannon);
});

test("a diagram is written as a FEN with the rights of the starting position", () => {
  const standing = pieces(tapped(cannon, "l1", "friend"), "P");
  const start = "x w KQ - 0 1";
  expect(fenOf(standing, 12, 12, start)).toBe("12/12/12/12/5p6/12/5C6/12/12/12/12/11P w KQ - 0 1");
  expect(fenOf([{ square: "a3", letter: "N'", side: "black" }], 3, 3, start)).toBe("n'2/3/3 w KQ - 0 1");
});

test("progress from another tab is kept", () => {
  localStorage.setItem("acedrex.dailies", '["2026-11-19"]');
  localStorage.setItem("acedrex.exercises", '{"magi":[7],"chess":[1]}');
  daySolved("2026-11-20");
  exerciseSolved("magi", 8);
  expect(solvedDays.value).toEqual(["2026-11-19", "2026-11-20"]);
  expect(JSON.parse(localStorage.getItem("acedrex.exercises") ?? "")).toEqual({ magi: [7, 8], chess: [1] });
  solvedDays.value = [];
  solvedExercises.value = {};
  localStorage.clear();
});

test("a streak runs to today, or to yesterday while today is unsolved", () => {
  const days = new Set(["2026-02-27", "2026-02-28", "2026-03-01", "2026-02-24"]);
  expect(before("2026-03-01", 1)).toBe("2026-02-28");
  expect([streak(days, "2026-03-01"), streak(days, "2026-03-02"), streak(days, "2026-03-03")]).toEqual([3, 3, 0]);
  expect(streak(new Set(), "2026-03-01")).toBe(0);
});

test("a solved exercise is stored once", () => {
  daySolved("2026-11-22");
  daySolved("2026-11-22");
  daySolved("2026-11-21");
  exerciseSolved("magi", 3);
  exerciseSolved("magi", 3);
  expect(solvedDays.value).toEqual(["2026-11-21", "2026-11-22"]);
  expect(solvedExercises.value).toEqual({ magi: [3] });
  expect(JSON.parse(localStorage.getItem("acedrex.dailies") ?? "")).toEqual(solvedDays.value);
});

test("a first game starts with an introduction, includes the setup if there is one, and ends with a game", () => {
  const example = { piece: "G" } as Example;
  const kinds = (setup: unknown) => stepsOf({ setup } as Game, [example, example]).map(({ kind }) => kind);
  expect(kinds(null)).toEqual(["intro", "try", "try", "play"]);
  expect(kinds({})).toEqual(["intro", "try", "try", "setup", "play"]);
});

test("a task accepts only its move, with any promotion", () => {
  expect(squaresOf("a10b12q")).toEqual({ from: "a10", to: "b12" });
  expect(squaresOf("end")).toBeNull();
  expect(isExpected(legalMove("a10b12l", "a10", "b12"), "a10b12q")).toBe(true);
  expect(isExpected(legalMove("a10b1", "a10", "b1"), "a10b12")).toBe(false);
  expect(isExpected(legalMove("claim", null, null), "claim")).toBe(true);
  expect(isExpected(legalMove("playon", null, null), "claim")).toBe(false);
  expect(isExpected(legalMove("a1a2", "a1", "a2"), undefined)).toBe(false);
});

test("the legal moves of a piece are shown, even without a path", () => {
  const position = {
    legal: [legalMove("a1a3", "a1", "a3"), legalMove("b1b2", "b1", "b2"), legalMove("end", null, null)],
  };
  expect(legalReach(position as unknown as Position, "a1")).toEqual([
    { to: "a3", kind: "move", mount: null, path: ["a3"], legs: ["a3"] },
  ]);
});

test("first-game progress is stored per game, and damaged parts are reset", () => {
  saveFirstGame("magi", { step: 3, done: [1, 2] });
  expect(firstGameProgress("magi")).toEqual({ step: 3, done: [1, 2] });
  expect(firstGameProgress("maasai")).toEqual({ step: 0, done: [] });
  localStorage.setItem("acedrex.first-game.maasai", JSON.stringify({ step: -2, done: [1, "x"] }));
  expect(firstGameProgress("maasai")).toEqual({ step: 0, done: [1] });
});
