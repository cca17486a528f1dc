import { expect, test } from "vitest";
import { pointsText } from "../src/match/points";

test("points are shown with fractions", () => {
  expect([0, 0.5, 1, 2.5, 3.25].map(pointsText)).toEqual(["0", "½", "1", "2½", "3¼"]);
});
