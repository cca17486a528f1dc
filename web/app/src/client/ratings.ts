import { language } from "../i18n";
import type { PersonRatings, Pool, Ranked, RatingPoint } from "../wire";
import { ask } from "./api";

/** A game at a speed, or nothing for the ratings over all. */
export type PoolKey = Pick<Pool, "game" | "speed">;

const query = ({ game, speed }: PoolKey) =>
  game === null ? "" : `?${new URLSearchParams({ game, speed: speed ?? "" })}`;
const person = (name: string) => `/people/${encodeURIComponent(name)}/ratings`;

export const pools = (signal?: AbortSignal) => ask<Pool[]>(`/ratings?lang=${language.value}`, { signal });
export const highest = (pool: PoolKey, signal?: AbortSignal) =>
  ask<Ranked[]>(`/ratings/highest${query(pool)}`, { signal });
export const ratingsOf = (name: string, signal?: AbortSignal) =>
  ask<PersonRatings>(`${person(name)}?lang=${language.value}`, { signal });
export const puzzleCurveOf = (name: string, signal?: AbortSignal) =>
  ask<RatingPoint[]>(`${person(name)}/puzzles`, { signal });
export const curveOf = (name: string, pool: PoolKey, signal?: AbortSignal) =>
  ask<RatingPoint[]>(`${person(name)}/curve${query(pool)}`, { signal });
