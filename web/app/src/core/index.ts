// The core in this browser: the same rules and engine as on the server. It is loaded when something first needs it.
// Until it is there, callers ask the server: on a slow phone that takes one second, and loading the core four or more. The
// server also knows games that others have published, and helps browsers that are too old for the core.

import { signal } from "@preact/signals";
import { language } from "../i18n";
import { Refusal, refusal } from "../refusal";
import type * as platform from "./platform";

export type Core = typeof platform;
export type { Board, Engine, Game, Info, Match as Rules } from "./platform";

/** A game with its options, the hash of the rules that are meant, if it is known, and the match whose rules they are. */
export interface Wanted {
  game: string;
  options?: Record<string, string>;
  rules_hash?: string;
  match?: string | null;
}

let loading: Promise<Core | null> | null = null;
const ready = signal<Core | null>(null);

/** How much of the core has been loaded, from 0 to 1. */
export const loadedPart = signal(0);

/** Returns the core, ready to use; `null` where there is none. */
export function theCore(): Promise<Core | null> {
  if (!("WebAssembly" in globalThis)) return Promise.resolve(null);
  loading ??= import("./platform").then(async (core) => {
    core.onProgress((part) => {
      loadedPart.value = part;
    });
    // The first game compiles the core, and what is missing is found out now.
    await core.load("chess");
    ready.value = core;
    return core;
  });
  const wanted = loading;
  return wanted.catch(() => {
    // A lost connection may come back.
    if (loading === wanted) loading = null;
    return null;
  });
}

/** Whether the core can answer at once. */
export const isReady = (): boolean => ready.peek() !== null;

/** Returns the core if it is loaded; what is drawn without it is drawn again when it is. */
export const loadedCore = (): Core | null => ready.value;

/** Returns the addresses of the core and its networks; none where there is no core. */
export async function coreFiles(): Promise<URL[]> {
  const core = await import("./platform").catch(() => null);
  return core ? [core.compiled, ...Object.values(core.networks)] : [];
}

const games = new Map<string, Promise<platform.Game>>();

/**
 * Returns a game that ships, with options and in the language of the page; `null` where there is no core, and if its
 * rules are not those that are meant.
 */
export async function gameOf({ game, options = {}, rules_hash }: Wanted): Promise<platform.Game | null> {
  const core = await theCore();
  if (!core) return null;
  const key = JSON.stringify([game, options, language.value]);
  let loaded = games.get(key);
  if (!loaded) {
    loaded = core.load(game, { options, language: language.value });
    games.set(key, loaded);
  }
  const found = await loaded.catch(() => null);
  return rules_hash !== undefined && found?.rulesHash !== rules_hash ? null : found;
}

/** A question to the core about a game. */
export type Question<T> = (core: Core, game: platform.Game) => T | Promise<T>;

/**
 * Asks the core, or where it is not ready or does not know the game, the server, whose answer is the same.
 *
 * @throws Refusal if the question has no answer.
 */
export const answered = <T>(wanted: Wanted, here: Question<T>, ask: () => Promise<T>): Promise<T> =>
  hereOrThere(() => withCore(wanted, here), ask);

/** As `answered`, for whatever `here` finds out by the core; `undefined` if it cannot. */
export async function hereOrThere<T>(here: () => Promise<T | undefined>, ask: () => Promise<T>): Promise<T> {
  if (isReady()) return (await here()) ?? ask();
  try {
    return await ask();
  } catch (error) {
    // Without the server the core is worth waiting for.
    if (!(error instanceof Refusal && error.code === "offline")) throw error;
    const answer = await here();
    if (answer === undefined) throw error;
    return answer;
  }
}

/**
 * Asks the core, once it is loaded; `undefined` if it cannot answer.
 *
 * @throws Refusal if the question has no answer.
 */
export async function withCore<T>(wanted: Wanted, here: Question<T>): Promise<T | undefined> {
  const [core, game] = [await theCore(), await gameOf(wanted)];
  if (!core || !game) return undefined;
  try {
    return await here(core, game);
  } catch (error) {
    if (!(error instanceof core.AcedrexError)) throw error;
    // The core knows as much of wrong FENs and moves as the server, which may know more of anything else.
    if (error.name === "AcedrexError") return undefined;
    throw refusal({ code: "invalid", message: error.message, where: null });
  }
}
