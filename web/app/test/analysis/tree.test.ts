import { expect, test } from "vitest";
import * as tree from "../../src/analysis/tree";
import type { NodeMade } from "../../src/wire";

const made = (move: string, parent = -1, more: Partial<NodeMade> = {}): NodeMade => ({
  parent,
  move,
  san: move.slice(2),
  side: "white",
  turn: 1,
  fen: `after ${move}`,
  comment: "",
  nags: [],
  ...more,
});

/** e4 e5 (c5 Nf3) Nf3, and d4 instead of e4. */
const TOLD = {
  start_fen: "start",
  comment: "Begin.",
  nodes: [made("e2e4"), made("e7e5", 0), made("g1f3", 1), made("c7c5", 0), made("g1f3", 3), made("d2d4", -1)],
};
const TREE = tree.grown(TOLD);
const texts = (of: tree.Tree, ids: number[]) => ids.map((id) => tree.nodeOf(of, id).move);

test("a tree is built from the server's nodes", () => {
  expect(tree.nodeOf(TREE, tree.START)).toMatchObject({ comment: "Begin.", fen: "start", children: [1, 6] });
  expect(texts(TREE, tree.mainline(TREE))).toEqual(["", "e2e4", "e7e5", "g1f3"]);
  expect(tree.movesTo(TREE, 5)).toEqual(["e2e4", "c7c5", "g1f3"]);
  expect(texts(TREE, tree.lineThrough(TREE, 4))).toEqual(["", "e2e4", "c7c5", "g1f3"]);
  expect([1, 3, 4, 5, 6].map((id) => tree.isMain(TREE, id))).toEqual([true, true, false, false, false]);
});

test("a tree is listed as the nodes it was built from", () => {
  const { nodes, places } = tree.listed(TREE);
  expect(nodes).toEqual(TOLD.nodes.map(({ parent, move, comment, nags }) => ({ parent, move, comment, nags })));
  expect([tree.START, 1, 6].map((id) => places.get(id))).toEqual([-1, 0, 5]);
});

test("a move that exists is not added again", () => {
  const [grown, last] = tree.added(TREE, 1, [made("e7e5"), made("b1c3")]);
  expect(tree.movesTo(grown, last)).toEqual(["e2e4", "e7e5", "b1c3"]);
  expect(tree.nodeOf(grown, 2).children).toHaveLength(2);
  expect(Object.keys(grown)).toHaveLength(8);
  expect(tree.added(grown, 1, [made("e7e5"), made("b1c3")])).toEqual([grown, last]);
  // The tree before is left as it was.
  expect(tree.nodeOf(TREE, 2).children).toEqual([3]);
});

test("removing a move removes everything after it", () => {
  const [left, before] = tree.pruned(TREE, 1);
  expect([Object.keys(left).map(Number), before]).toEqual([[0, 6], tree.START]);
  expect(tree.nodeOf(left, tree.START).children).toEqual([6]);
  expect(tree.pruned(TREE, tree.START)).toEqual([TREE, tree.START]);
  // What is added next replaces nothing that is left.
  const [shorter] = tree.pruned(TREE, 3);
  const [longer, last] = tree.added(shorter, 6, [made("d7d5")]);
  expect(tree.movesTo(longer, last)).toEqual(["d2d4", "d7d5"]);
  expect(Object.keys(longer)).toHaveLength(7);
});

test("a promoted line becomes the main line from the start", () => {
  const next = tree.promoted(TREE, 5);
  expect(texts(next, tree.mainline(next))).toEqual(["", "e2e4", "c7c5", "g1f3"]);
  expect(tree.listed(next).nodes).toHaveLength(6);
  expect(tree.nodeOf(tree.promoted(TREE, 6), tree.START).children).toEqual([6, 1]);
});

test("a new glyph replaces only one of the same kind", () => {
  const own = tree.grown({ ...TOLD, nodes: [made("e2e4", -1, { nags: [4, 14] })] });
  const marked = tree.marked(own, 1, 1);
  expect(tree.nodeOf(marked, 1).nags).toEqual([1, 14]);
  expect(tree.nodeOf(tree.marked(marked, 1, 1), 1).nags).toEqual([14]);
  expect(tree.nodeOf(tree.commented(own, 1, "Well."), 1).comment).toBe("Well.");
});

test("a long game does not overflow the stack", () => {
  const nodes = Array.from({ length: 5000 }, (_, index) => made(`p${index}`, index - 1));
  const long = tree.grown({ start_fen: "", comment: "", nodes });
  expect(tree.listed(long).nodes.at(-1)).toMatchObject({ parent: 4998, move: "p4999" });
  expect(tree.mainline(tree.promoted(long, 5000))).toHaveLength(5001);
});
