// Changes one value of a TOML text, and leaves everything else as it was written: comments, order, spaces, unknown keys.

import { begins, Document, type Entry, type Path, plant, type Section, type Toml, within } from "./toml";

/** Returns the text with a value set. Throws `TomlError` if the text is not TOML. */
export function put(text: string, path: Path, value: Toml): string {
  const document = new Document(text);
  const holder = document.entries.findLast((entry) => begins(path, entry.path));
  if (holder) {
    const inside = path.slice(holder.path.length);
    if (inside.length === 0) return spliced(text, holder.from, holder.to, written(value));
    const changed = structuredClone(document.at(holder.path) ?? {});
    plant(changed, inside, value);
    return spliced(text, holder.from, holder.to, written(changed));
  }
  for (let length = path.length - 1; length > 0; length--) {
    const parent = path.slice(0, length);
    const section = document.sections.findLast((one) => one.path.length === length && begins(one.path, parent));
    if (section) return withLine(text, section, line(path.slice(length), value));
    // A table that is written as dotted keys.
    const sibling = document.entries.findLast((entry) => begins(entry.path, parent));
    const home = sibling && document.sections.findLast((one) => one.from <= sibling.from);
    if (sibling && home && home.path.length < length && typeof path[length] === "string") {
      const at = lineEnd(text, sibling.to);
      return spliced(text, at, at, `${dotted(path.slice(home.path.length))} = ${written(value)}\n`);
    }
  }
  const size = sectionLength(path);
  return withSection(text, document, path.slice(0, size), line(path.slice(size), value));
}

/** Returns the text with a new table, which must not exist yet, and its entries. */
export function putTable(text: string, path: Path, entries: Record<string, Toml>): string {
  const lines = Object.entries(entries).map(([key, value]) => line([key], value));
  return withSection(text, new Document(text), path, lines.join(""));
}

/** Returns the text without a value or a table. Comments outside of it stay. */
export function drop(text: string, path: Path): string {
  const document = new Document(text);
  const spans: [number, number][] = [];
  let rewritten: [number, number, string] | null = null;
  for (const entry of document.entries) {
    const inside = path.slice(entry.path.length);
    if (begins(entry.path, path)) spans.push(lineOf(text, entry));
    else if (begins(path, entry.path) && document.at(path) !== undefined) {
      const changed = without(document.at(entry.path) ?? {}, inside);
      if (Object.keys(changed as object).length === 0) spans.push(lineOf(text, entry));
      else rewritten = [entry.from, entry.to, written(changed)];
    }
  }
  for (const section of document.sections) {
    if (!hasHeader(section) || !begins(section.path, path)) continue;
    // Also the blank line below, so that no gap grows.
    const end = lineEnd(text, section.end);
    const blank = /^[ \t]*\r?\n/.exec(text.slice(end));
    spans.push([lineStart(text, section.from), end + (blank?.[0].length ?? 0)]);
  }
  if (rewritten) return spliced(text, ...rewritten);
  // Entries lie within their sections.
  const outer = spans.filter(([from, to]) => !spans.some(([start, end]) => start < from && to <= end));
  return outer.sort((a, b) => b[0] - a[0]).reduce((rest, [from, to]) => spliced(rest, from, to, ""), text);
}

/** Returns the text with other keys and values: `keys` says what a path becomes, and `values` what a value does. */
export function exchanged(text: string, keys: (path: Path) => Path, values: (path: Path, value: Toml) => Toml): string {
  const document = new Document(text);
  const changes: [number, number, string][] = [];
  for (const { path, from, to } of document.sections.filter(hasHeader)) {
    const next = keys(path);
    if (String(next) !== String(path)) changes.push([from, to, header(next)]);
  }
  for (const { path, from, to } of document.entries) {
    const [next, before] = [keys(path), document.at(path) ?? ""];
    const value = written(values(path, before));
    if (value !== written(before)) changes.push([from, to, value]);
    if (String(next) === String(path)) continue;
    const home = document.sections.findLast((section) => section.from <= from)?.path ?? [];
    const start = lineStart(text, from);
    const [, indent = "", equals = ""] = /^(\s*).*?(\s*=\s*)$/.exec(text.slice(start, from)) ?? [];
    changes.push([start, from, indent + dotted(next.slice(home.length)) + equals]);
  }
  return changes.sort((a, b) => b[0] - a[0]).reduce((rest, change) => spliced(rest, ...change), text);
}

function without(value: Toml, path: Path): Toml {
  const copy = structuredClone(value);
  const parent = within(copy, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === "number") parent.splice(key, 1);
  else if (parent !== undefined) Reflect.deleteProperty(parent as object, key ?? "");
  return copy;
}

/** Returns a value as TOML. */
export function written(value: Toml): string {
  if (typeof value === "string")
    return value.includes("\n") ? `"""\n${escaped(value, true)}"""` : `"${escaped(value, false)}"`;
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).map(([key, inside]) => `${keyed(key)} = ${written(inside)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

const SIGNS: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n" };

function escaped(text: string, long: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TOML forbids them
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\\"\u0000-\u001f\u007f]/g, (sign) => {
    if (long && sign === "\n") return sign;
    return SIGNS[sign] ?? `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

function keyed(key: string): string {
  return /^[\w-]+$/.test(key) ? key : `"${escaped(key, false)}"`;
}

/** Returns the keys of a path as TOML; the places of tables in arrays are not written. */
function dotted(path: Path): string {
  return path
    .filter((key) => typeof key === "string")
    .map(keyed)
    .join(".");
}

function header(path: Path): string {
  return typeof path.at(-1) === "number" ? `[[${dotted(path)}]]` : `[${dotted(path)}]`;
}

/** Returns a line that sets a key; a longer path becomes a table within it. */
function line(path: Path, value: Toml): string {
  const [key, ...rest] = path;
  let inside = value;
  if (rest.length > 0) {
    inside = {};
    plant(inside, rest, value);
  }
  return `${keyed(String(key))} = ${written(inside)}\n`;
}

/** How many keys of a path are the header of its table. */
function sectionLength(path: Path): number {
  const [first, second] = path;
  const nested = first === "pieces" || first === "options" || typeof second === "number";
  return Math.min(nested ? 2 : 1, path.length - 1);
}

function withLine(text: string, section: Section, added: string): string {
  const at = section.end === 0 ? 0 : lineEnd(text, section.end);
  return spliced(text, at, at, at > 0 && text[at - 1] !== "\n" ? `\n${added}` : added);
}

/** Adds a table after the last one of its kind, or at the end. */
function withSection(text: string, document: Document, path: Path, lines: string): string {
  const alike = document.sections.findLast((section) => section.path[0] === path[0] && hasHeader(section));
  const at = alike ? lineEnd(text, alike.end) : text.length;
  const before = at === 0 ? "" : text[at - 1] === "\n" ? "\n" : "\n\n";
  return spliced(text, at, at, `${before}${header(path)}\n${lines}`);
}

function spliced(text: string, from: number, to: number, added: string): string {
  return text.slice(0, from) + added + text.slice(to);
}

function hasHeader({ from, to }: Section): boolean {
  return from < to;
}

/** Returns where the lines of an entry begin and end. */
function lineOf(text: string, { from, to }: Entry): [number, number] {
  return [lineStart(text, from), lineEnd(text, to)];
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns the offset after the line that an offset is in. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
