import { expect, test } from "vitest";
import { lost } from "../src/captured.ts";
import { arrow, bentPaths, targetMarks } from "../src/marks.ts";
import { english, fill } from "../src/texts.ts";
import type { Reach } from "../src/types.ts";
import { closer, firstView, type Room, reveal, viewportOf, within, zoom } from "../src/view.ts";
import { KINDS, position } from "./positions.ts";

const phone: Room = { files: 16, ranks: 12, square: 22, width: 360, height: 500 };
const facing = { files: 12, ranks: 12, orientation: "white" as const };

test("boards with small squares start enlarged at the player's side, others in full", () => {
  const view = firstView(phone);
  expect(view.scale * phone.square).toBe(40);
  expect(view.y).toBe(viewportOf(view.scale, phone).height - 12 * 40);
  expect(firstView({ ...phone, square: 30 })).toEqual({ scale: 1, x: 0, y: 0 });
});

test("nothing outside the board is ever shown", () => {
  expect(within({ scale: 0.2, x: 50, y: -900 }, phone)).toEqual({ scale: 1, x: 0, y: 0 });
  const { x, y } = within({ scale: 2, x: -9999, y: 9999 }, phone);
  expect([x, y]).toEqual([360 - 16 * 44, 0]);
  expect(within({ scale: 99, x: 0, y: 0 }, phone).scale * 22).toBeCloseTo(120);
});

test("the point between the fingers stays between them", () => {
  const before = closer({ x: 8, y: 6 }, phone);
  const point = { x: 100, y: 200 };
  const after = zoom(before, before.scale * 1.3, point, phone);
  const boardPoint = (view: typeof before) => (point.x - view.x) / view.scale;
  expect(boardPoint(after)).toBeCloseTo(boardPoint(before));
});

test("revealing a square scrolls only if it is out of sight", () => {
  const view = closer({ x: 8, y: 12 }, phone);
  const moved = reveal(view, { x: 0, y: 11 }, phone);
  expect(moved.x).toBeCloseTo(0);
  expect(reveal(moved, { x: 1, y: 11 }, phone)).toEqual(moved);
});

const bent: Reach = { to: "e6", kind: "both", mount: null, path: ["d4", "e5", "e6"], legs: ["d4", "e6"] };
const hop: Reach = { to: "c8", kind: "hop", mount: "c5", path: ["c4", "c5", "c6", "c7", "c8"], legs: ["c8"] };

test("each kind of reach has its mark", () => {
  const marks = (kind: Reach["kind"]) => targetMarks([{ to: "c3", kind, reach: null }], new Set(), facing);
  expect(marks("move")).toMatch(/^<circle class="dot"[^>]*>$/);
  expect(marks("capture")).toContain("vermilion");
  expect(marks("capture")).not.toContain("dot");
  expect(marks("both")).toMatch(/vermilion.*dot/);
  expect(marks("hop")).toContain("gold");
  expect(targetMarks([{ ...hop, reach: hop }], new Set(["c8"]), facing)).toContain('class="tick gold"');
});

test("only paths that bend are drawn, each leg once", () => {
  expect(bentPaths("c3", [{ ...hop, reach: hop }], facing)).toBe("");
  const longer = { ...bent, to: "e7", path: [...bent.path, "e7"] };
  const way = bentPaths("c3", [{ ...longer, reach: longer }], facing);
  expect(way).toContain("way lapis");
  const both = [bent, longer].map((one) => ({ ...one, reach: one }));
  expect(bentPaths("c3", both, facing)).toBe(way);
});

test("an arrow to its own square is a ring", () => {
  expect(arrow({ from: "a1", to: "a1", colour: "gold" }, facing)).toContain("ring gold");
  expect(arrow({ from: "a1", to: "b3", colour: "lapis" }, facing)).toContain("polygon");
});

test("captured pieces are counted, and promoted soldiers are not among them", () => {
  const start = position("kq/pp/PP/KQ w", []).pieces;
  expect(lost("black", start, position("k1/p1/PP/KQ w", []).pieces, KINDS)).toEqual(["Q", "P"]);
  expect(lost("black", start, position("kq/pq/PP/KQ w", []).pieces, KINDS)).toEqual([]);
  expect(lost("black", start, position("kq/1q/PP/KQ w", []).pieces, KINDS)).toEqual(["P"]);
  expect(lost("white", start, position("kq/pp/1P/KU w", []).pieces, KINDS)).toEqual(["Q"]);
});

test("values are filled in, and missing ones stay visible", () => {
  expect(fill(english.moved, { piece: "white King", from: "e1", to: "g1" })).toBe("white King, e1 to g1");
  expect(fill("{a} {b}", { a: 1 })).toBe("1 {b}");
});
