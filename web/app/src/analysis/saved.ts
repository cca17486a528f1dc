import * as database from "../client/database";
import type { Finding, Side } from "../wire";
import type { Node, Tree } from "./tree";

/** The review of a line of nodes: a job of the server or, with a local id and what it has found, of this browser. */
export interface Reviewing {
  job: string;
  line: number[];
  found?: Finding[];
}

/** An analysis as this browser saves it; it is not sent anywhere until it is shared. */
export interface SavedAnalysis extends database.Stored {
  game: string;
  options: Record<string, string>;
  /** The game's name, for lists. */
  name: string;
  setup: string | null;
  tags: Record<string, string>;
  tree: Tree;
  at: number;
  orientation: Side;
  job: Reviewing | null;
  /** The faults of the PGN that it was read from; empty once they were dismissed. */
  faults: string[];
  /** Whether that PGN has more games; not once the notice was dismissed. */
  more?: boolean;
}

/** Returns the id of the analysis of a match. */
export const matchAnalysis = (match: string): string => `match-${match}`;

/** Returns the match whose analysis has this id. */
export const matchOf = (id: string): string | undefined => /^match-(.+)/.exec(id)?.[1];

/** Returns the match that its player plans by the analysis with this id, without the engine. */
export const planOf = (id: string): string | undefined => /^plan-(.+)/.exec(id)?.[1];

/** Reads a saved analysis; `null` if there is none. */
export async function readSaved(id: string): Promise<SavedAnalysis | null> {
  const saved = await database.read<SavedAnalysis>(id);
  return saved && { ...saved, tree: withMoves(saved.tree) };
}

/** Reads a tree that may have been saved when a node's move was still called `ply`. */
export function withMoves(tree: Readonly<Record<number, Node | OldNode>>): Tree {
  const nodes = Object.entries(tree).map(([id, node]) => {
    if (!("ply" in node)) return [id, node];
    const { ply, ...rest } = node;
    return [id, { ...rest, move: ply }];
  });
  return Object.fromEntries(nodes);
}

type OldNode = Omit<Node, "move"> & { ply: string };
