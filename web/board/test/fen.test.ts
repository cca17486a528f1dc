import { expect, test } from "vitest";
import { readHoles, readPlacement, stillPosition } from "../src/fen.ts";
import { at } from "./positions.ts";

test("numbers and symbols of two characters are read", () => {
  const pieces = readPlacement("11k/12/R'10w!/12 w - - 0 1");
  expect(pieces.length).toBe(3);
  expect(at(pieces, "l4")).toBe("black K");
  expect(at(pieces, "a2")).toBe("white R'");
  expect(at(pieces, "l2")).toBe("black W!");
});

test("a still position has no moves", () => {
  expect(stillPosition("3/k2/2K b - - 0 1")).toMatchObject({ turn: "black", legal: [], check: [] });
});

test("holes are read, and no pieces", () => {
  const fen = "k1*/3/K1* w - - 0 1";
  expect([...readHoles(fen)]).toEqual(["c3", "c1"]);
  expect(readPlacement(fen).map(({ square }) => square)).toEqual(["a3", "a1"]);
  expect(readHoles("k2/3/K2 w - - 0 1").size).toBe(0);
});
