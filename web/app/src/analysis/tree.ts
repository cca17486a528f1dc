// A tree of moves as plain data, and functions that turn one into the next. What a move is called and leads to comes
// from the server; nothing here knows a rule.

import type { NodeMade, Side, TreeNode, Tree as TreeTold } from "../wire";

/** The number of the start, which has no move. */
export const START = 0;

export interface Node {
  parent: number;
  move: string;
  san: string;
  side: Side;
  turn: number;
  /** The position behind the move. */
  fen: string;
  comment: string;
  nags: readonly number[];
  /** The first is the main one. */
  children: readonly number[];
}

export type Tree = Readonly<Record<number, Node>>;

export function start(fen: string, comment = ""): Tree {
  const root: Node = {
    parent: -1,
    move: "",
    san: "",
    side: "white",
    turn: 0,
    fen,
    comment,
    nags: [],
    children: [],
  };
  return { [START]: root };
}

/** The tree that the server has read. */
export function grown(told: Pick<TreeTold, "start_fen" | "comment" | "nodes">): Tree {
  const nodes: Record<number, Node> = { ...start(told.start_fen, told.comment) };
  told.nodes.forEach((made, index) => {
    const { parent, ...said } = made;
    nodes[index + 1] = { ...said, parent: parent + 1, children: [] };
    const before = nodes[parent + 1] as Node;
    nodes[parent + 1] = { ...before, children: [...before.children, index + 1] };
  });
  return nodes;
}

export function nodeOf(tree: Tree, at: number): Node {
  return tree[at] ?? (tree[START] as Node);
}

function changed(tree: Tree, at: number, change: Partial<Node>): Tree {
  const node = tree[at];
  return node ? { ...tree, [at]: { ...node, ...change } } : tree;
}

/** The move from here with this text, if it is there. */
export function childWith(tree: Tree, at: number, move: string): number | null {
  return nodeOf(tree, at).children.find((child) => tree[child]?.move === move) ?? null;
}

/** Adds moves one behind the other, those that are there already once. Gives the tree and the last of them. */
export function added(tree: Tree, at: number, moves: readonly NodeMade[]): [Tree, number] {
  let [next, here] = [tree, at];
  for (const { parent: _, ...made } of moves) {
    const known = childWith(next, here, made.move);
    if (known !== null) {
      here = known;
      continue;
    }
    const id = Math.max(...Object.keys(next).map(Number)) + 1;
    next = changed({ ...next, [id]: { ...made, parent: here, children: [] } }, here, {
      children: [...nodeOf(next, here).children, id],
    });
    here = id;
  }
  return [next, here];
}

export function commented(tree: Tree, at: number, comment: string): Tree {
  return changed(tree, at, { comment });
}

/** Puts a glyph on a move in the place of those of the same kind, or takes it off again. */
export function marked(tree: Tree, at: number, nag: number): Tree {
  const { nags } = nodeOf(tree, at);
  const others = nags.filter((one) => one > 6);
  return changed(tree, at, { nags: nags.includes(nag) ? others : [nag, ...others] });
}

/** Takes out a move and all that follows it. Gives the tree and the move before. */
export function pruned(tree: Tree, at: number): [Tree, number] {
  const node = tree[at];
  if (!node || at === START) return [tree, START];
  const gone = new Set<number>();
  const left = [at];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    gone.add(one);
    left.push(...nodeOf(tree, one).children);
  }
  const saved = Object.fromEntries(Object.entries(tree).filter(([id]) => !gone.has(Number(id))));
  const siblings = nodeOf(tree, node.parent).children.filter((child) => child !== at);
  return [changed(saved, node.parent, { children: siblings }), node.parent];
}

/** Makes the line through a move the main one, all the way from the start. */
export function promoted(tree: Tree, at: number): Tree {
  let next = tree;
  for (const id of pathTo(tree, at)) {
    const { parent } = nodeOf(next, id);
    const others = nodeOf(next, parent).children.filter((child) => child !== id);
    next = changed(next, parent, { children: [id, ...others] });
  }
  return next;
}

/** The moves that lead to one, itself the last; the start is not among them. */
export function pathTo(tree: Tree, at: number): number[] {
  const path: number[] = [];
  for (let id = at; id !== START && tree[id]; id = nodeOf(tree, id).parent) path.push(id);
  return path.reverse();
}

/** The moves to make from the start. */
export function movesTo(tree: Tree, at: number): string[] {
  return pathTo(tree, at).map((id) => nodeOf(tree, id).move);
}

/** The line through a move: what leads to it, and the main one from there. The start is its first. */
export function lineThrough(tree: Tree, at: number): number[] {
  const line = [START, ...pathTo(tree, at)];
  for (let id = nodeOf(tree, at).children[0]; id !== undefined; id = nodeOf(tree, id).children[0]) line.push(id);
  return line;
}

export function mainline(tree: Tree): number[] {
  return lineThrough(tree, START);
}

/** Whether the main line comes through a move. */
export function isMain(tree: Tree, at: number): boolean {
  return pathTo(tree, at).every((id) => nodeOf(tree, nodeOf(tree, id).parent).children[0] === id);
}

/** All moves in the order of a walk, each variation whole before the next, and their places by number. */
export function listed(tree: Tree): { nodes: Required<TreeNode>[]; places: Map<number, number> } {
  const places = new Map([[START, -1]]);
  const nodes: Required<TreeNode>[] = [];
  const left = [...nodeOf(tree, START).children].reverse();
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const { parent, move, comment, nags, children } = nodeOf(tree, id);
    places.set(id, nodes.length);
    nodes.push({ parent: places.get(parent) ?? -1, move, comment, nags: [...nags] });
    left.push(...[...children].reverse());
  }
  return { nodes, places };
}
