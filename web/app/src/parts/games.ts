import { api } from "../client";
import { language } from "../i18n";
import { isLocal } from "../local/id";
import type { Game, Snapshot } from "../wire";
import { type Loaded, useLoaded } from "./loaded";

const cache = new Map<string, Promise<Game>>();

/** Fetches a game with its pieces, once per visit and language. */
export function gameOf(id: string): Promise<Game> {
  const key = `${language.value} ${id}`;
  const game = cache.get(key) ?? api.game(id);
  cache.set(key, game);
  game.catch(() => cache.delete(key));
  return game;
}

export function useGame(id: string | undefined): Loaded<Game | null> {
  return useLoaded<Game | null>(() => (id ? gameOf(id) : Promise.resolve(null)), [id]);
}

/** Fetches the game of a match, which may have been changed or removed since the match began. */
export function useMatchGame(state: Pick<Snapshot, "match" | "game"> | null | undefined): Loaded<Game | null> {
  const [match, id, outdated] = [state?.match, state?.game.game, state?.game.outdated];
  return useLoaded<Game | null>(async () => {
    if (!match || !id) return null;
    const game = await gameOf(id).catch(() => null);
    if (game?.origin === "shipped" && !outdated) return game;
    if (game && isLocal(match)) return (await (await import("../local/play")).openPlay(match)).described(game);
    return api.gameOfMatch(match);
  }, [match, id]);
}
