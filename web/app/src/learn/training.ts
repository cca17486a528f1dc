// What this browser stores about puzzles: those solved, those that come back, and the best rushes.
//
// A puzzle that was failed comes back after a day and, once it is solved then, after a week.

import { signal } from "@preact/signals";
import { load, save } from "../client/storage";
import type { PuzzleEntry, PuzzleReturn } from "../wire";

export const DAY = 86_400_000;
const WEEK = 7 * DAY;

export interface Training {
  /** Numbers of solved puzzles by game. */
  solved: Record<string, number[]>;
  /** By game and number, as `magi/12`. */
  returns: Record<string, PuzzleReturn>;
  /** The most puzzles solved in a rush, by game and minutes, as `magi/3`. */
  best: Record<string, number>;
}

export interface Which {
  game: string;
  number: number;
}

/** Returns the training after a puzzle was failed. */
export function failed(before: Training, { game, number }: Which, now: number): Training {
  const again = { due: now + DAY, last: false, at: now };
  return { ...before, returns: { ...before.returns, [`${game}/${number}`]: again } };
}

/** Returns the training after a puzzle was solved without a mistake. One solved before it is due still comes back. */
export function solved(before: Training, { game, number }: Which, now: number): Training {
  const known = before.solved[game] ?? [];
  const numbers = known.includes(number) ? known : [...known, number];
  const key = `${game}/${number}`;
  const there = before.returns[key];
  const returns = { ...before.returns };
  // What is over stays, so that another device does not bring it back.
  if (there?.due && there.due <= now) returns[key] = { due: there.last ? null : now + WEEK, last: true, at: now };
  return { ...before, solved: { ...before.solved, [game]: numbers }, returns };
}

/** Returns the training after a rush. */
export function rushed(before: Training, game: string, minutes: number, score: number): Training {
  const key = `${game}/${minutes}`;
  return { ...before, best: { ...before.best, [key]: Math.max(before.best[key] ?? 0, score) } };
}

/** Returns the puzzles that have come back, the longest due first. */
export function dueNow({ returns }: Training, now: number): Which[] {
  return comingBack(returns)
    .filter(([, due]) => due <= now)
    .sort(([, one], [, other]) => one - other)
    .map(([key]) => {
      const [game = "", number] = key.split("/");
      return { game, number: Number(number) };
    });
}

/** Returns when the next puzzle comes back; `null` if none does. */
export function nextDue({ returns }: Training): number | null {
  const times = comingBack(returns).map(([, due]) => due);
  return times.length > 0 ? Math.min(...times) : null;
}

function comingBack(returns: Training["returns"]): [string, number][] {
  return Object.entries(returns).flatMap(([key, { due }]) => (due === null ? [] : [[key, due]]));
}

const ORDER = ["easy", "medium", "hard"];

/** Returns puzzles from easy to hard; `shuffle` orders those of one difficulty. */
export function fromEasy(entries: PuzzleEntry[], shuffle: () => number = () => 0): PuzzleEntry[] {
  return entries
    .map((entry) => ({ entry, rank: ORDER.indexOf(entry.difficulty) + shuffle() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** Returns whether a puzzle was neither solved nor failed yet. */
export const isNew = ({ solved, returns }: Training, { game, number }: Which): boolean =>
  !solved[game]?.includes(number) && !(`${game}/${number}` in returns);

/**
 * Returns a puzzle neither solved nor failed, besides `except`: the one nearest to a rating or, without one, the
 * easiest; `null` if there is none.
 */
export function nextPuzzle(
  entries: PuzzleEntry[],
  training: Training,
  game: string,
  except = 0,
  rating: number | null = null,
): number | null {
  const open = entries.filter(({ number }) => number !== except && isNew(training, { game, number }));
  const away = (entry: PuzzleEntry) => Math.abs(entry.rating - (rating ?? 0));
  const ordered = rating === null ? fromEasy(open) : [...open].sort((one, other) => away(one) - away(other));
  return ordered[0]?.number ?? null;
}

/** Returns what two devices know together. Of two decisions about a puzzle the later one holds, as on the server. */
export function merged(one: Training, other: Training): Training {
  const solved = { ...one.solved };
  for (const [game, numbers] of Object.entries(other.solved))
    solved[game] = [...new Set([...(solved[game] ?? []), ...numbers])];
  const returns = { ...one.returns };
  for (const [key, there] of Object.entries(other.returns)) {
    const here = returns[key];
    if (!here || there.at > here.at) returns[key] = there;
  }
  const best = { ...one.best };
  for (const [key, score] of Object.entries(other.best)) best[key] = Math.max(best[key] ?? 0, score);
  return { solved, returns, best };
}

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function only<T>(value: unknown, read: (value: unknown, key: string) => T | null): Record<string, T> {
  const found = Object.entries(fields(value)).map(([key, value]) => [key, read(value, key)] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, T] => pair[1] !== null));
}

/** Reads a training that was stored or exported; what is unreadable is left out. */
export function readTraining(value: unknown): Training {
  const { solved, returns, best } = fields(value);
  return {
    solved: only(solved, (numbers) => (Array.isArray(numbers) ? numbers.filter(isCount) : null)),
    returns: only(returns, (value, key) => {
      const { due, last, at } = fields(value);
      if (!/^[^/]+\/\d+$/.test(key) || !(due === null || isCount(due))) return null;
      return { due, last: last === true, at: isCount(at) ? at : 0 };
    }),
    best: only(best, (score) => (isCount(score) ? score : null)),
  };
}

export const training = signal<Training>(readTraining(load("puzzles")));

/** Changes the training and stores it. */
export function train(next: Training): void {
  training.value = next;
  save("puzzles", next);
}

addEventListener("storage", (event) => {
  if (event.key === "acedrex.puzzles") training.value = readTraining(load("puzzles"));
});
