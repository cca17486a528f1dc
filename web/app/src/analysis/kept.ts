import type { Shelved } from "../client/shelf";
import type { Side } from "../wire";
import type { Tree } from "./tree";

/** An analysis as this browser keeps it: nothing of it leaves the browser before it is shared. */
export interface Kept extends Shelved {
  game: string;
  options: Record<string, string>;
  /** The game's name, for lists. */
  name: string;
  setup: string | null;
  tags: Record<string, string>;
  tree: Tree;
  at: number;
  orientation: Side;
  job: { job: string; line: number[] } | null;
  /** What was wrong in the record that it was read from; empty once that was put away. */
  faults: string[];
}
