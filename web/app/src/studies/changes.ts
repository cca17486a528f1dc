// A chapter as a tree on the board, and what each change of the study does to it.

import { type Node, nodeOf, promoted, pruned, START, type Tree } from "../analysis/tree";
import type { StudyChange, StudyChapter, StudyNode } from "../wire";

type ChapterChange = Extract<StudyChange, { chapter: number; type: Exclude<StudyChange["type"], "chapter_added"> }>;

const asNode = ({ id: _, ...node }: StudyNode): Node => ({ ...node, children: [] });

/** Returns the tree of a chapter, whose nodes have the same numbers. */
export function treeOf({ nodes }: StudyChapter): Tree {
  return grown({}, nodes);
}

function grown(tree: Tree, nodes: readonly StudyNode[]): Tree {
  const next: Record<number, Node> = { ...tree };
  for (const node of nodes) {
    const parent = next[node.parent];
    if (node.id !== START && !parent) continue;
    next[node.id] = asNode(node);
    if (parent) next[node.parent] = { ...parent, children: [...parent.children, node.id] };
  }
  return next;
}

/** Returns the tree after a change; `null` if it has to be read again. */
export function changed(tree: Tree, change: ChapterChange): Tree | null {
  switch (change.type) {
    case "moves_added":
      return grown(tree, change.nodes);
    case "commented":
      return annotated(tree, change.node, { comment: change.text });
    case "marked":
      return annotated(tree, change.node, { nags: change.nags });
    case "drawn":
      return annotated(tree, change.node, { arrows: change.arrows });
    case "pruned":
      return pruned(tree, change.node)[0];
    case "promoted":
      return promoted(tree, change.node);
    case "restored":
      return null;
    default:
      return tree;
  }
}

function annotated(tree: Tree, at: number, change: Partial<Node>): Tree {
  return tree[at] ? { ...tree, [at]: { ...nodeOf(tree, at), ...change } } : tree;
}
