import { expect, test } from "vitest";
import { withMoves } from "../../src/analysis/saved";
import { start } from "../../src/analysis/tree";

test("an analysis saved with the old field names can be read", () => {
  const { move, ...rest } = { ...start("fen")[0], move: "e2e4" } as NonNullable<ReturnType<typeof start>[0]>;
  expect(withMoves({ 0: { ...rest, ply: move } })).toEqual({ 0: { ...rest, move } });
  expect(withMoves({ 0: { ...rest, move } })).toEqual({ 0: { ...rest, move } });
});
