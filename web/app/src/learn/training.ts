// What this browser stores about puzzles: those solved, those that come back, and the best rushes.
//
// A puzzle that was failed comes back after a day and, once it is solved then, after a week.

import { signal } from "@preact/signals";
import { load, save } from "../client/storage";
import type { PuzzleEntry } from "../wire";

export const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** A puzzle that was failed: when it comes back, in milliseconds of Unix time, and whether that is the last time. */
interface Return {
  due: number;
  last: boolean;
}

export interface Training {
  /** Numbers of solved puzzles by game. */
  solved: Record<string, number[]>;
  /** By game and number, as `magi/12`. */
  returns: Record<string, Return>;
  /** The most puzzles solved in a rush, by game and minutes, as `magi/3`. */
  best: Record<string, number>;
}

export interface Which {
  game: string;
  number: number;
}

/** Returns the training after a puzzle was failed. */
export function failed(before: Training, { game, number }: Which, now: number): Training {
  return { ...before, returns: { ...before.returns, [`${game}/${number}`]: { due: now + DAY, last: false } } };
}

/** Returns the training after a puzzle was solved without a mistake. One solved before it is due still comes back. */
export function solved(before: Training, { game, number }: Which, now: number): Training {
  const known = before.solved[game] ?? [];
  const numbers = known.includes(number) ? known : [...known, number];
  const { [`${game}/${number}`]: there, ...returns } = before.returns;
  if (there && there.due > now) returns[`${game}/${number}`] = there;
  else if (there && !there.last) returns[`${game}/${number}`] = { due: now + WEEK, last: true };
  return { ...before, solved: { ...before.solved, [game]: numbers }, returns };
}

/** Returns the training after a rush. */
export function rushed(before: Training, game: string, minutes: number, score: number): Training {
  const key = `${game}/${minutes}`;
  return { ...before, best: { ...before.best, [key]: Math.max(before.best[key] ?? 0, score) } };
}

/** Returns the puzzles that have come back, the longest due first. */
export function dueNow({ returns }: Training, now: number): Which[] {
  return Object.entries(returns)
    .filter(([, { due }]) => due <= now)
    .sort(([, one], [, other]) => one.due - other.due)
    .map(([key]) => {
      const [game = "", number] = key.split("/");
      return { game, number: Number(number) };
    });
}

/** Returns when the next puzzle comes back; `null` if none does. */
export function nextDue({ returns }: Training): number | null {
  const times = Object.values(returns).map(({ due }) => due);
  return times.length > 0 ? Math.min(...times) : null;
}

const ORDER = ["easy", "medium", "hard"];

/** Returns puzzles from easy to hard; `shuffle` orders those of one difficulty. */
export function fromEasy(entries: PuzzleEntry[], shuffle: () => number = () => 0): PuzzleEntry[] {
  return entries
    .map((entry) => ({ entry, rank: ORDER.indexOf(entry.difficulty) + shuffle() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** Returns the easiest puzzle neither solved nor failed, besides `except`; `null` if there is none. */
export function nextPuzzle(
  entries: PuzzleEntry[],
  { solved, returns }: Training,
  game: string,
  except = 0,
): number | null {
  const done = new Set(solved[game]);
  const open = entries.filter(
    ({ number }) => number !== except && !done.has(number) && !(`${game}/${number}` in returns),
  );
  return fromEasy(open)[0]?.number ?? null;
}

/** Returns what two browsers know together. A puzzle that both have failed comes back at the earlier time. */
export function merged(one: Training, other: Training): Training {
  const solved = { ...one.solved };
  for (const [game, numbers] of Object.entries(other.solved))
    solved[game] = [...new Set([...(solved[game] ?? []), ...numbers])];
  const returns = { ...one.returns };
  for (const [key, there] of Object.entries(other.returns)) {
    const here = returns[key];
    if (!here || there.due < here.due) returns[key] = there;
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
      const { due, last } = fields(value);
      return /^[^/]+\/\d+$/.test(key) && isCount(due) ? { due, last: last === true } : null;
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

/** Adds the training of an exported identity's text to this browser's; a bare token has none. */
export function importTraining(text: string): void {
  try {
    train(merged(training.value, readTraining((JSON.parse(text) as { puzzles?: unknown } | null)?.puzzles)));
  } catch {
    // The text is a token.
  }
}
