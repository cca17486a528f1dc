import { api } from "../client";
import { language } from "../i18n";
import type { Game } from "../wire";
import { type Loaded, useLoaded } from "./loaded";

const known = new Map<string, Promise<Game>>();

/** A game with its pieces, asked for once a visit and language. */
export function gameOf(id: string): Promise<Game> {
  const key = `${language.value} ${id}`;
  const asked = known.get(key) ?? api.game(id);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

export function useGame(id: string | undefined): Loaded<Game | null> {
  return useLoaded<Game | null>(() => (id ? gameOf(id) : Promise.resolve(null)), [id]);
}
