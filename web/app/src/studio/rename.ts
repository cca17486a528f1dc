// A piece's letter stands in several places of a definition: see `docs/format.md`.

import type { Texts } from "./open-draft";
import { Document, type Path, type Toml, TomlError } from "./toml";
import { exchanged } from "./toml-edit";

/** The keys that are letters, and those whose values are lists of letters; `*` is any key. */
const LETTERS = patterns("pieces.*", "game.place.*", "setup.groups.*.only.*");
const LISTS = patterns(
  "pieces.*.promotes_to",
  "pieces.*.promotion.*.to",
  "setup.groups.*.pieces",
  "end.bare_king.claim",
  "end.bare_king.never",
  "end.conditions.*.extinct",
  "end.conditions.*.pieces",
);
const STARTS = patterns("game.start");
/** The keys whose values are the paths of other keys. */
const SETS = patterns("options.*.set");

/** Returns the texts with another letter for a piece. Throws `TomlError` if the definition is not TOML. */
export function renamedTexts({ text, french }: Texts, old: string, letter: string): Texts {
  const next = renamed(text, old, letter);
  try {
    return { text: next, french: renamed(french, old, letter) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { text: next, french };
  }
}

/** Returns a definition or a translation with another letter for a piece. Throws `TomlError` if it is not TOML. */
export function renamed(text: string, old: string, letter: string): string {
  const document = new Document(text);

  /** What the game reads at a path: an option changes keys from the top. */
  const meant = (path: Path): Path => {
    const [table, option = "", key, ...inside] = path;
    if (table !== "options") return path;
    if (key !== "values" && key !== "default") return inside;
    const set = document.at(["options", option, "set"]);
    return typeof set === "string" ? set.split(".") : [];
  };

  const keys = (path: Path): Path =>
    path.map((key, index) => (key === old && isAmong(LETTERS, meant(path.slice(0, index + 1))) ? letter : key));

  const values = (path: Path, value: Toml): Toml => {
    if (Array.isArray(value)) return value.map((inside, index) => values([...path, index], inside));
    if (typeof value === "object") {
      const entries = Object.entries(value).map(([key, inside]) => ({ at: [...path, key], inside }));
      return Object.fromEntries(entries.map(({ at, inside }) => [keys(at).at(-1), values(at, inside)]));
    }
    if (typeof value !== "string") return value;
    if (isAmong(SETS, path)) return keys(value.split(".")).join(".");
    if (isAmong(STARTS, meant(path))) return inPlacement(value, old, letter);
    if (!isAmong(LISTS, meant(path))) return value;
    return value.replace(/[A-Z]['!]?/g, (one) => (one === old ? letter : one));
  };

  // `game.remove` stays as it is: it names pieces of the game that is extended.
  return exchanged(text, keys, values);
}

function patterns(...texts: string[]): Path[] {
  return texts.map((text) => text.split("."));
}

function isAmong(all: readonly Path[], path: Path): boolean {
  return all.some((one) => one.length === path.length && one.every((key, index) => key === "*" || key === path[index]));
}

function inPlacement(fen: string, old: string, letter: string): string {
  const [placement = "", ...rest] = fen.split(" ");
  const changed = placement.replace(/[A-Za-z]['!]?/g, (token) => {
    if (token === old) return letter;
    return token === old.toLowerCase() ? letter.toLowerCase() : token;
  });
  return [changed, ...rest].join(" ");
}
