// A TOML text, with the place of everything in it, as the core reads it. What is written back is changed only where
// something changed: see `toml-edit.ts`. Whether a text is a definition is another question to the core.

import { signal } from "@preact/signals";
import type { Entry, Path, Section } from "../../../core/src/editing.ts";
import type { Plain } from "../../../core/src/questions.ts";
import { loadedCore } from "../core";
import type { Fault } from "../core/platform";

export type { Entry, Path, Section };
export type Toml = Plain;

/** Whether the core has failed on this page, for good. */
export const failed = signal(false);

/** A text is not TOML; without faults, there is no core to read it. */
export class TomlError extends Error {
  constructor(readonly faults: readonly Pick<Fault, "line" | "key" | "message">[]) {
    super(faults[0]?.message ?? "there is no core");
  }
}

export class Document {
  readonly sections: readonly Section[];
  readonly entries: readonly Entry[];
  readonly #tree: Toml;

  /** Throws `TomlError` if the text is not TOML. */
  constructor(text: string) {
    const core = loadedCore();
    const found = core?.editing.layout(text) ?? [];
    if (Array.isArray(found)) {
      // Later, since texts are also read while a page is drawn.
      if (core && found.length === 0) queueMicrotask(() => (failed.value = true));
      throw new TomlError(found);
    }
    this.#tree = found.tree;
    this.sections = found.sections;
    this.entries = found.entries;
  }

  /** Returns the value at a path, put together from all that is written about it. */
  at(path: Path): Toml | undefined {
    return within(this.#tree, path);
  }

  /** Returns how many tables an array of tables has. */
  count(path: Path): number {
    const inside = this.at(path);
    return Array.isArray(inside) ? inside.length : 0;
  }
}

/** Whether a path is `prefix` or below it. */
export function begins(path: Path, prefix: Path): boolean {
  return path.length >= prefix.length && prefix.every((key, index) => key === path[index]);
}

/** Returns what is at a path inside a value. */
export function within(value: Toml | undefined, path: Path): Toml | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, Toml>)[key];
  }
  return found;
}

/** Sets what is at a path inside a table, with tables on the way. */
export function plant(table: Toml, path: Path, value: Toml): void {
  let at = table as Record<string | number, Toml>;
  path.forEach((key, index) => {
    if (index === path.length - 1) define(at, key, value);
    else {
      const there = Object.hasOwn(at, key) ? at[key] : undefined;
      const next: Toml = typeof there === "object" ? there : typeof path[index + 1] === "number" ? [] : {};
      define(at, key, next);
      at = next as Record<string | number, Toml>;
    }
  });
}

/** Sets a property, also one called `__proto__`. */
function define(table: object, key: string | number, value: Toml): void {
  Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true });
}
