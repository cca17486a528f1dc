import { expect, test, vi } from "vitest";
import {
  briefScore,
  graphPoints,
  marks,
  type Note,
  notes,
  scoreText,
  short,
  verdict,
  withNote,
} from "../../src/analysis/judge";
import { theCore } from "../../src/core";
import type { Evaluation, Finding, Side } from "../../src/wire";
import { hasCore } from "../disk-core";

vi.mock("../../src/core/platform", () => import("../disk-core"));

const chance = (value: number): Evaluation => ({ cp: Math.round((value - 0.5) * 1000), mate: null, chance: value });
const finding = (ply: number, value: number, best = "e2e4"): Finding => ({
  ply,
  score: chance(value),
  depth: 9,
  best: [best],
  san: "1.e4 e5",
});

test("a move is judged by the winning chances it loses, for either side", () => {
  const named = (before: number, after: number) => verdict(chance(before), chance(after), "white");
  expect([named(0.5, 0.45), named(0.5, 0.39), named(0.62, 0.4), named(0.9, 0.3)]).toEqual([
    null,
    "inaccuracy",
    "mistake",
    "blunder",
  ]);
  expect(verdict(chance(0.3), chance(0.9), "white")).toBeNull();
  expect(verdict(chance(0.3), chance(0.9), "black")).toBe("blunder");
});

test("weak moves are marked with the better line, but never the engine's own choice", () => {
  const moves = [
    { side: "white", move: "" },
    { side: "white", move: "f2f3" },
    { side: "black", move: "a7a6" },
  ] satisfies { side: Side; move: string }[];
  const found = [finding(0, 0.5), finding(1, 0.1, "d8h4"), finding(2, 0.6)];
  const marked = marks([0, 7, 9], found, (node) => moves[[0, 7, 9].indexOf(node)] as (typeof moves)[0]);
  expect([...marked.keys()]).toEqual([7, 9]);
  expect(marked.get(7)).toEqual({ verdict: "blunder", best: ["e2e4"], san: "1.e4 e5" });
  expect(marks([0, 7], [finding(0, 0.5, "f2f3"), finding(1, 0.1)], () => ({ side: "white", move: "f2f3" })).size).toBe(
    0,
  );
  // What is not found yet is not judged.
  expect(marks([0, 7, 9], found.slice(0, 2), () => moves[1] ?? { side: "white", move: "" }).size).toBe(1);
});

test.runIf(hasCore)(
  "a review adds glyphs and evaluations at the end of turns and keeps people's own notes",
  async () => {
    const core = await theCore();
    const sides: Side[] = ["white", "white", "white", "black"];
    const found = [finding(0, 0.5), finding(1, 0.5), finding(2, 0.1), finding(3, 0.1)];
    found[3] = { ...(found[3] as Finding), score: { cp: null, mate: -2, chance: 0 } };
    const marked = new Map([[2, { verdict: "blunder" as const, best: ["e2e4"], san: "1.e4" }]]);
    const noted = notes([0, 1, 2, 3], found, marked, (node) => sides[node] ?? "white");
    expect([...noted]).toEqual([
      [1, { nag: null, score: null }],
      [2, { nag: 4, score: found[2]?.score }],
      [3, { nag: null, score: found[3]?.score }],
    ]);
    const [node, note] = [{ comment: "Why?", nags: [] as number[] }, noted.get(2) as Note];
    expect(withNote(node, note, core)).toEqual({ comment: "Why? [%eval -4.00]", nags: [4] });
    expect(withNote(node, noted.get(3) as Note, core).comment).toBe("Why? [%eval #-2]");
    expect(withNote({ ...node, nags: [1] }, note, core).nags).toEqual([1]);
    expect(withNote({ ...node, comment: "[%eval 1.00]" }, note, core).comment).toBe("[%eval 1.00]");
    expect(withNote(node, note, null)).toEqual({ comment: "Why?", nags: [4] });
    found[3] = { ...(found[3] as Finding), score: { cp: null, mate: 0, chance: 0 } };
    expect(notes([0, 1, 2, 3], found, marked, (node) => sides[node] ?? "white").get(3)?.score).toBeNull();
  },
);

test("scores are abbreviated", () => {
  const text = (cp: number | null, mate: number | null) => scoreText({ cp, mate, chance: 0.5 });
  expect([text(35, null), text(-210, null), text(0, null)]).toEqual(["+0.35", "−2.10", "0.00"]);
  expect([text(null, 3), text(null, -2), text(null, 0)]).toEqual(["#3", "#−2", "#"]);
  expect([35, -995, -1240].map((cp) => briefScore({ cp, mate: null, chance: 0.5 }))).toEqual(["0.3", "10", "12"]);
  expect(briefScore({ cp: null, mate: -2, chance: 0 })).toBe("#−2");
  expect([short(999), short(12_345), short(3_400_000)]).toEqual(["999", "12 k", "3.4 M"]);
});

test("the graph plots White's chances upwards", () => {
  expect(graphPoints([finding(0, 0.5), finding(1, 0.9)])).toEqual([
    { x: 0, y: 0.5 },
    { x: 1, y: expect.closeTo(0.1) },
  ]);
});
