// The core in this browser: the same rules and engine as on the server. It is loaded when something first needs it.
// Where there is none, because it was not built, the browser is too old or the network is gone, callers ask the server.

import { language } from "../i18n";
import type { GameChoice } from "../wire";
import type * as platform from "./platform";

export type Core = typeof platform;
export type { Board, Engine, Game } from "./platform";

let loading: Promise<Core | null> | null = null;

/** Returns the core, ready to use; `null` where there is none. */
export function theCore(): Promise<Core | null> {
  loading ??= import("./platform").then(async (core) => {
    // The first game compiles the core, and what is missing is found out now.
    await core.load("chess");
    return core;
  });
  const wanted = loading;
  return wanted.catch(() => {
    // A lost connection may come back.
    if (loading === wanted) loading = null;
    return null;
  });
}

/** Returns the addresses of the core and its networks; none where there is no core. */
export async function coreFiles(): Promise<URL[]> {
  const core = await import("./platform").catch(() => null);
  return core ? [core.compiled, ...Object.values(core.networks)] : [];
}

const games = new Map<string, Promise<platform.Game>>();

/** Returns a game that ships, with options and in the language of the page; `null` where there is no core. */
export async function gameOf({ game, options }: GameChoice): Promise<platform.Game | null> {
  const core = await theCore();
  if (!core) return null;
  const key = JSON.stringify([game, options, language.value]);
  let loaded = games.get(key);
  if (!loaded) {
    loaded = core.load(game, { options, language: language.value });
    games.set(key, loaded);
  }
  return loaded.catch(() => null);
}
