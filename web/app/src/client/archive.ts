import type { ArchivePage, Imported, NewToken, Openings, Token, Whose, WhoseOpenings } from "../wire";
import { ask } from "./api";
import { fileOf } from "./files";

/** The filters of the archive; an empty one does not filter. */
export interface Search {
  whose: Whose;
  game: string;
  setup: string;
  result: string;
  player: string;
  since: string;
  until: string;
  least: string;
  most: string;
  /** A position, which needs its game. */
  fen: string;
}

/** Returns the parameters that are not empty as the query of a URL. */
export function queryOf(parameters: Record<string, string>): string {
  return String(new URLSearchParams(Object.entries(parameters).filter(([, value]) => value.trim() !== "")));
}

const seated = (whose: WhoseOpenings) => whose === "mine";

export const find = (search: Search, after: string | null, signal?: AbortSignal) =>
  ask<ArchivePage>(`/archive?${queryOf({ ...search, after: after ?? "" })}`, { seated: seated(search.whose), signal });

export const openings = (whose: WhoseOpenings, game: string, fen: string | null, signal?: AbortSignal) =>
  ask<Openings>(`/archive/openings?${queryOf({ whose, game, fen: fen ?? "" })}`, { seated: seated(whose), signal });

export const importPgn = (file: Blob) => ask<Imported>("/archive", { method: "POST", body: file, seated: true });

/** Returns all matches that the filters find as a PGN file. */
export const records = (search: Search) => fileOf(`/archive/pgn?${queryOf({ ...search })}`, seated(search.whose));

export const tokens = (signal?: AbortSignal) => ask<Token[]>("/me/tokens", { seated: true, signal });
export const makeToken = (token: NewToken) => ask<Token>("/me/tokens", { method: "POST", body: token, seated: true });
export const revokeToken = (id: string) =>
  ask<void>(`/me/tokens/${encodeURIComponent(id)}`, { method: "DELETE", seated: true });
