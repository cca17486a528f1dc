import { turnStart } from "@acedrex/board";
import { at } from "../client";

/** Returns options as parameters of a URL. */
export function optionsIn(options: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [`option.${name}`, value]));
}

/** Reads the options from the parameters of a URL. */
export function optionsFrom(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (name.startsWith("option.") ? [[name.slice(7), value]] : [])),
  );
}

interface NewGame {
  game: string;
  options?: Record<string, string>;
  /** The position to begin from; the moves of an unfinished turn are left out. */
  fen?: string;
}

/** Returns the path of the page for a new game, with some choices made. */
export function newGameAt({ game, options = {}, fen }: NewGame): string {
  const start = fen && turnStart(fen);
  return at(`/new?${new URLSearchParams({ game, ...optionsIn(options), ...(start && { fen: start }) })}`);
}
