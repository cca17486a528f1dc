import { test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { readSquares, writeSquares } from "../../src/studio/squares";
import { hasCore } from "../disk-core";

vi.mock("../../src/core/platform", () => import("../disk-core"));

const test = always.skipIf(!hasCore);
beforeAll(async () => void (await theCore()));

const SIZE = { files: 5, ranks: 6 };

test("a list that is being written keeps its squares", () => {
  expect(readSquares("b2-c3 f1 a1 rank", SIZE)).toEqual(["b2", "c2", "b3", "c3", "a1"]);
});

test("squares are written as a block if they form one", () => {
  expect(writeSquares(readSquares("b2-d3", SIZE))).toBe("b2-d3");
  expect(writeSquares(["c3", "a1"])).toBe("c3 a1");
  expect(writeSquares(["a1", "b1", "c2"])).toBe("a1 b1 c2");
  expect(writeSquares([])).toBe("");
});
