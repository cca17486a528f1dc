import { expect, test } from "vitest";
import { arrow, counts } from "../src/marks.ts";

const facing = { files: 8, ranks: 8, orientation: "white" as const };

test("White's number is below, Black's above, and zero is not shown", () => {
  const both = counts({ square: "a1", white: 2, black: 3 }, facing);
  expect(both).toContain('<text class="count white" x="0.21" y="7.79">2</text>');
  expect(both).toContain('<text class="count black" x="0.79" y="7.21">3</text>');
  expect(counts({ square: "a1", white: 0, black: 1 }, facing)).not.toContain("white");
  expect(counts({ square: "a1", white: 0, black: 0 }, facing)).toBe("");
});

test("a faint arrow is marked as faint", () => {
  const way = { from: "a1", to: "a3", colour: "lapis" as const };
  expect([arrow(way, facing), arrow({ ...way, faint: true }, facing)].map((text) => text.includes("faint"))).toEqual([
    false,
    true,
  ]);
});
