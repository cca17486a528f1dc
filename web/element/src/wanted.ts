// What a page asks of a board, read from the attributes of the element.

import sizes from "made:sizes";
import type { Language } from "../../core/src/limits.ts";

export type { Language };

/** What an element shows. Everything in it was written by a stranger. */
export interface Wanted {
  /** The id of a game that ships, perhaps with options: `magi:scoring=four_points`. */
  game: string;
  /** A definition of the page's own: its text, or where to fetch it. */
  definition: { text: string } | { address: string } | null;
  fen: string | null;
  setup: string | null;
  moves: string;
  pgn: string;
  /** How many moves are made at first; all of them by default. */
  at: number | null;
  interactive: boolean;
  /** The level of the engine that plays the side at the top. */
  engine: number | null;
  orientation: "white" | "black";
  pieces: "art" | "letters";
  coordinates: "margin" | "squares" | "none";
  /** The square of a piece whose moves are shown, and which readers move about. */
  shown: string | null;
  language: Language;
  files: number;
  ranks: number;
  /** Whether a turn may have several moves, as far as that is known before anything is loaded. */
  several: boolean;
}

/** What a page has asked for cannot be shown; the message says why. */
export class Trouble extends Error {}

/** The attributes that are read. */
export const ATTRIBUTES = [
  "game",
  "definition",
  "fen",
  "setup",
  "moves",
  "pgn",
  "at",
  "interactive",
  "engine",
  "orientation",
  "pieces",
  "board",
  "coordinates",
  "shown",
  "lang",
] as const;

/** The longest text that is read, for a record a few hundred moves with comments: it is read while the page waits. */
export const MOST_TEXT = 65_536;

/** Read the attributes of an element and the texts in it. Throws `Trouble` if one has no meaning. */
export function wantedOf(element: HTMLElement): Wanted {
  const given = (name: (typeof ATTRIBUTES)[number]): string | null => {
    return bounded(name, element.getAttribute(name));
  };
  const among = <T extends string>(name: "orientation" | "pieces" | "coordinates", all: readonly [T, ...T[]]): T => {
    const value = given(name) ?? all[0];
    const found = all.find((each) => each === value);
    if (!found) throw new Trouble(`${name}: expected ${all.join(", ")}, not ${short(value)}`);
    return found;
  };
  const number = (name: "at" | "engine", least: number, most: number): number | null => {
    const value = given(name);
    if (value === null) return null;
    const read = /^\d{1,6}$/.test(value) ? Number(value) : -1;
    if (read < least || read > most)
      throw new Trouble(`${name}: expected a number from ${least} to ${most}, not ${short(value)}`);
    return read;
  };
  const text = (slot: string): string | null => {
    const found = [...element.children].find((child) => child.getAttribute("slot") === slot)?.textContent ?? null;
    return bounded(slot, found);
  };
  const [own, address] = [text("definition"), given("definition")];
  const definition = own !== null ? { text: own } : address !== null ? { address } : null;
  const pgn = text("pgn") ?? given("pgn") ?? "";
  const game = given("game") ?? variantOf(pgn) ?? (definition ? "" : "chess");
  const fen = given("fen");
  const engine = number("engine", 1, 10);
  const [files, ranks, several] = sizeOf(game, own, fen);
  return {
    game,
    definition,
    fen,
    setup: given("setup"),
    moves: given("moves") ?? "",
    pgn,
    at: number("at", 0, 999_999),
    interactive: given("interactive") !== null || engine !== null,
    engine,
    orientation: among("orientation", ["white", "black"]),
    pieces: among("pieces", ["art", "letters"]),
    coordinates: among("coordinates", ["margin", "squares", "none"]),
    shown: given("shown"),
    language: languageOf(element),
    files,
    ranks,
    several,
  };
}

/** Return whether readers can step through moves, or make some. */
export function isActive({ interactive, moves, pgn }: Wanted): boolean {
  return interactive || moves.trim() !== "" || pgn !== "";
}

/** Return the language nearest to an element that there is. */
export function languageOf(element: Element): Language {
  const tag = element.closest("[lang]")?.getAttribute("lang") ?? "";
  return /^fr\b/i.test(tag) ? "fr" : "en";
}

/** Return the game of a PGN, by its tag; `null` if it has none. */
export function variantOf(pgn: string): string | null {
  return /^\[Variant\s+"([^"\n]{1,64})"\]/m.exec(pgn)?.[1]?.toLowerCase() ?? null;
}

/** Return files and ranks, before anything is loaded, so that the page does not move later. */
function sizeOf(game: string, definition: string | null, fen: string | null): [number, number, boolean] {
  const id = game.split(":", 1)[0] ?? "";
  if (!definition && Object.hasOwn(sizes, id)) return sizes[id] ?? [8, 8, false];
  const told = definition && /^\s*board\s*=\s*"(\d{1,2})x(\d{1,2})"/m.exec(definition);
  if (told) return [within(Number(told[1])), within(Number(told[2])), false];
  const ranks = within(fen?.split(" ", 1)[0]?.split("/").length ?? 8);
  return [ranks, ranks, false];
}

function bounded(name: string, text: string | null): string | null {
  if (text !== null && text.length > MOST_TEXT) throw new Trouble(`${name}: at most ${MOST_TEXT} characters`);
  return text;
}

function within(size: number): number {
  return Math.min(Math.max(size, 3), 16);
}

export function short(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
