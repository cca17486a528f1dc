// What editors of definitions ask while a definition is being written.

import * as core from "../compiled/core.js";
import { DefinitionError, type Fault, guard } from "./errors.ts";
import type { Plain } from "./questions.ts";

/** Keys from the top; a number is the place in an array of tables. */
export type Path = readonly (string | number)[];

/** A line `key = value`, and where its value begins and ends. */
export interface Entry {
  path: Path;
  from: number;
  to: number;
}

/** A table, where its header begins and ends, and where its last entry ends; the first is the top, without a header. */
export interface Section extends Entry {
  end: number;
}

/** What a definition's text says by itself, and its tables and lines in the order of the text. */
export interface Layout {
  tree: Plain;
  sections: Section[];
  entries: Entry[];
}

/** Return what a text says and where, or what keeps it from being read. */
export function layout(text: string): Layout | Fault[] {
  try {
    return guard(() => core.layout(text, "game.toml")) as Layout;
  } catch (error) {
    if (error instanceof DefinitionError) return error.faults;
    throw error;
  }
}

/** Return the first steps of a move, files and ranks in turn, clockwise from straight ahead; none if it cannot be read. */
export const firstSteps = (notation: string): Int8Array => guard(() => core.first_steps(notation));

/** Return the squares of a list on a board; what has no meaning on it is left out. */
export const knownSquares = (text: string, files: number, ranks: number): string[] =>
  guard(() => core.known_squares(text, files, ranks));
