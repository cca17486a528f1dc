import { expect, test } from "vitest";
import { cornerOf, distanceTo, type Facing, isLight, isSquare, rowsOf, snap, squareAt } from "../src/squares.ts";

const white: Facing = { files: 12, ranks: 10, orientation: "white" };
const black: Facing = { ...white, orientation: "black" };

test("a1 is dark and at the bottom left of White's board", () => {
  expect(isLight("a1")).toBe(false);
  expect(cornerOf("a1", white)).toEqual({ x: 0, y: 9 });
  expect(cornerOf("a1", black)).toEqual({ x: 11, y: 0 });
});

test.each([
  white,
  black,
  { files: 3, ranks: 3, orientation: "white" },
  { files: 16, ranks: 16, orientation: "black" },
] as Facing[])("squares and points convert into each other: %o", (facing) => {
  const rows = rowsOf(facing);
  expect(rows.length).toBe(facing.ranks);
  expect(new Set(rows.flat()).size).toBe(facing.files * facing.ranks);
  for (const square of rows.flat()) {
    const { x, y } = cornerOf(square, facing);
    expect(squareAt({ x: x + 0.99, y: y + 0.01 }, facing)).toBe(square);
    expect(isSquare(square, facing)).toBe(true);
  }
});

test("there are no squares beyond the board", () => {
  expect(squareAt({ x: -0.1, y: 3 }, white)).toBeNull();
  expect(squareAt({ x: 12, y: 3 }, white)).toBeNull();
  for (const text of ["m1", "a11", "a0", "a01", "A1", "a", "1", "a1b", ""]) expect(isSquare(text, white)).toBe(false);
});

test("a point inside a square has distance 0", () => {
  expect(distanceTo("a1", { x: 0.9, y: 9.1 }, white)).toBe(0);
  expect(distanceTo("a1", { x: 1.5, y: 9.5 }, white)).toBeCloseTo(0.5);
});

test("a near miss snaps to the nearest target", () => {
  const targets = ["c3", "e3"]; // columns 2 and 4, row 7
  expect(snap({ x: 2.5, y: 7.5 }, targets, white, 0.5)).toBe("c3");
  expect(snap({ x: 3.2, y: 7.5 }, targets, white, 0.5)).toBe("c3");
  expect(snap({ x: 3.8, y: 7.5 }, targets, white, 0.5)).toBe("e3");
  expect(snap({ x: 3.8, y: 6.6 }, targets, white, 0.5)).toBe("e3");
  expect(snap({ x: 3.5, y: 5.5 }, targets, white, 0.5)).toBeNull();
});

test("a direct hit wins over a nearby target", () => {
  expect(snap({ x: 2.99, y: 7.5 }, ["d3", "c3"], white, 0.5)).toBe("c3");
  expect(snap({ x: 3.01, y: 7.5 }, ["d3", "c3"], white, 0.5)).toBe("d3");
});
