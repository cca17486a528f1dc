// A tree of moves as plain data, and functions that turn one into the next. SAN and positions come from the server:
// nothing here knows the rules.

import type { Arrow } from "@acedrex/board";
import type { NodeMade, Tree as ServerTree, TreeNode } from "../wire";

/** The node of the start, which has no move. */
export const START = 0;

export interface Node extends Readonly<Omit<NodeMade, "nags">> {
  nags: readonly number[];
  /** Those of a study. */
  arrows?: readonly Arrow[];
  /** The first continues the main line. */
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

/** Returns the tree that the server has read. */
export function grown(from: Pick<ServerTree, "start_fen" | "comment" | "nodes">): Tree {
  const nodes: Record<number, Node> = { ...start(from.start_fen, from.comment) };
  from.nodes.forEach(({ parent, ...node }, index) => {
    nodes[index + 1] = { ...node, parent: parent + 1, children: [] };
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

/** Returns the child of a node with this move, `null` if there is none. */
function childWith(tree: Tree, at: number, move: string): number | null {
  return nodeOf(tree, at).children.find((child) => tree[child]?.move === move) ?? null;
}

/** Follows moves from a node as far as they are in the tree. Returns the last node, and the moves that are left. */
export function followed(tree: Tree, at: number, moves: readonly string[]): [number, string[]] {
  let here = at;
  for (const [index, move] of moves.entries()) {
    const next = childWith(tree, here, move);
    if (next === null) return [here, moves.slice(index)];
    here = next;
  }
  return [here, []];
}

/**
 * Adds a line of moves, reusing nodes that exist. Returns the tree and the last node of the line.
 * @param least the least number of a new node.
 */
export function added(tree: Tree, at: number, moves: readonly NodeMade[], least = 0): [Tree, number] {
  let [next, here] = [tree, at];
  for (const { parent: _, ...made } of moves) {
    const existing = childWith(next, here, made.move);
    if (existing !== null) {
      here = existing;
      continue;
    }
    const id = Math.max(least, Math.max(...Object.keys(next).map(Number)) + 1);
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

/** Toggles the glyph of a move; it replaces other glyphs of the same kind, 1 to 6. */
export function marked(tree: Tree, at: number, nag: number): Tree {
  const { nags } = nodeOf(tree, at);
  const others = nags.filter((other) => other > 6);
  return changed(tree, at, { nags: nags.includes(nag) ? others : [nag, ...others] });
}

/** Removes a move and all that follow it. Returns the tree and the node before it. */
export function pruned(tree: Tree, at: number): [Tree, number] {
  const node = tree[at];
  if (!node || at === START) return [tree, START];
  const gone = new Set<number>();
  const left = [at];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    gone.add(id);
    left.push(...nodeOf(tree, id).children);
  }
  const remaining = Object.fromEntries(Object.entries(tree).filter(([id]) => !gone.has(Number(id))));
  const siblings = nodeOf(tree, node.parent).children.filter((child) => child !== at);
  return [changed(remaining, node.parent, { children: siblings }), node.parent];
}

/** Makes the line through a move the main line, from the start on. */
export function promoted(tree: Tree, at: number): Tree {
  let next = tree;
  for (const id of pathTo(tree, at)) {
    const { parent } = nodeOf(next, id);
    const others = nodeOf(next, parent).children.filter((child) => child !== id);
    next = changed(next, parent, { children: [id, ...others] });
  }
  return next;
}

/** Returns the nodes from the start, which is left out, to a node, which is the last. */
export function pathTo(tree: Tree, at: number): number[] {
  const path: number[] = [];
  for (let id = at; id !== START && tree[id]; id = nodeOf(tree, id).parent) path.push(id);
  return path.reverse();
}

/** Returns the moves of some nodes; the start has none. */
export function movesOf(tree: Tree, line: readonly number[]): string[] {
  return line.filter((id) => id !== START).map((id) => nodeOf(tree, id).move);
}

/** Returns the moves from the start to a node. */
export function movesTo(tree: Tree, at: number): string[] {
  return movesOf(tree, pathTo(tree, at));
}

/** Returns the line through a node: the start, the path to the node, and the main continuation. */
export function lineThrough(tree: Tree, at: number): number[] {
  const line = [START, ...pathTo(tree, at)];
  for (let id = nodeOf(tree, at).children[0]; id !== undefined; id = nodeOf(tree, id).children[0]) line.push(id);
  return line;
}

export function mainline(tree: Tree): number[] {
  return lineThrough(tree, START);
}

/** Whether a node is on the main line. */
export function isMain(tree: Tree, at: number): boolean {
  return pathTo(tree, at).every((id) => nodeOf(tree, nodeOf(tree, id).parent).children[0] === id);
}

/** Returns all moves depth first, each variation whole before the next, and their indices by node. */
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
