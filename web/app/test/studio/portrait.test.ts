import { expect, test } from "vitest";
import type { Played } from "../../../core/src/questions.ts";
import { portraitOf } from "../../src/studio/portrait";

const played = (winner: "white" | "black" | null, termination: string, turns: number): Played => ({
  outcome: { winner, termination, result: "*", score: "" } as unknown as Played["outcome"],
  turns,
});

test("a portrait counts wins, draws, lengths and endings", () => {
  const games = [
    played("white", "checkmate", 30),
    played("white", "checkmate", 50),
    played("black", "checkmate", 40),
    played(null, "stalemate", 90),
    { outcome: null, turns: 400 },
  ];
  const portrait = portraitOf(games);
  expect(portrait).toMatchObject({ games: 5, white: 2, black: 1, draws: 2, score: 0.6 });
  expect(portrait.turns).toEqual({ least: 30, middle: 50, most: 400 });
  expect(portrait.endings).toEqual([
    ["checkmate", 3],
    ["stalemate", 1],
    ["unfinished", 1],
  ]);
  // Points 1, 1, 0, 0.5, 0.5: a variance of 0.175, and 1.96 * sqrt(0.175 / 5).
  expect(portrait.margin).toBeCloseTo(0.3667, 3);
  expect(portraitOf([played("white", "checkmate", 9)]).margin).toBe(0);
});
