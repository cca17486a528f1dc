// What editors of definitions ask while a definition is being written. Nothing here throws, even after the core has
// failed: people must be able to go on writing, and to save what they wrote.

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

/** Return what a text says and where, or the faults that keep it from being read: none if the core has failed. */
export function layout(text: string): Layout | Fault[] {
  try {
    return guard(() => core.layout(text, "game.toml")) as Layout;
  } catch (error) {
    return error instanceof DefinitionError ? error.faults : [];
  }
}

/** Return the first steps of a move, files and ranks in turn, clockwise from straight ahead; none if it cannot be read. */
export const firstSteps = (notation: string): Int8Array => orElse(new Int8Array(), () => core.first_steps(notation));

/** Return the squares of a list on a board; what has no meaning on it is left out. */
export const knownSquares = (text: string, files: number, ranks: number): string[] =>
  orElse([], () => core.known_squares(text, files, ranks));

function orElse<T>(otherwise: T, ask: () => T): T {
  try {
    return guard(ask);
  } catch {
    return otherwise;
  }
}
