// A piece's letter stands in several places of a definition.

import { Document, type Path, type Toml } from "./toml";
import { put, rename } from "./toml-edit";

/** Returns the text with another letter for a piece: in its table, the start, and all lists of pieces. */
export function renamed(text: string, old: string, letter: string): string {
  let next = rename(text, ["pieces", old], letter);
  const document = new Document(next);
  for (const entry of document.entries) {
    for (const { path, value } of texts(entry.path, document.at(entry.path))) {
      if (isStart(path)) next = put(next, path, inPlacement(value, old, letter));
      else if (isList(path))
        next = put(
          next,
          path,
          value.replace(tokens, (token) => (token === old ? letter : token)),
        );
    }
  }
  return next;
}

/** Returns every text in a value, with its path. */
function texts(path: Path, value: Toml | undefined): { path: Path; value: string }[] {
  if (typeof value === "string") return [{ path, value }];
  if (typeof value !== "object" || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => texts([...path, key], inside));
}

const tokens = /[A-Z]['!]?/g;

function isStart(path: Path): boolean {
  return path.at(-1) === "start" && path.at(-2) === "game";
}

function isList(path: Path): boolean {
  return (
    path.at(-1) === "promotes_to" ||
    (path.includes("bare_king") && (path.at(-1) === "claim" || path.at(-1) === "never"))
  );
}

function inPlacement(fen: string, old: string, letter: string): string {
  const [placement = "", ...rest] = fen.split(" ");
  const changed = placement.replace(/[A-Za-z]['!]?/g, (token) => {
    if (token === old) return letter;
    return token === old.toLowerCase() ? letter.toLowerCase() : token;
  });
  return [changed, ...rest].join(" ");
}
