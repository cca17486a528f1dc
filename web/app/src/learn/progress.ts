// What this browser stores of lessons: solved exercises and puzzles of the day with the streak, and first games.

import { signal } from "@preact/signals";
import { load, save } from "../client/storage";

const MOST_DAYS = 400;

type Exercises = Record<string, number[]>;

function storedExercises(): Exercises {
  const found = load("exercises");
  if (typeof found !== "object" || found === null) return {};
  return Object.fromEntries(
    Object.entries(found).map(([game, numbers]) => [
      game,
      Array.isArray(numbers) ? numbers.filter((number) => typeof number === "number") : [],
    ]),
  );
}

function storedDays(): string[] {
  const found = load("dailies");
  return Array.isArray(found) ? found.filter((day) => typeof day === "string") : [];
}

export const solvedExercises = signal<Exercises>(storedExercises());
export const solvedDays = signal<string[]>(storedDays());

/** Stores exercises and days in place of those before. */
export function setProgress(exercises: Exercises, days: string[]): void {
  solvedExercises.value = exercises;
  save("exercises", exercises);
  solvedDays.value = days.slice(-MOST_DAYS);
  save("dailies", solvedDays.value);
}

addEventListener("storage", ({ key }) => {
  if (key === "acedrex.exercises") solvedExercises.value = storedExercises();
  if (key === "acedrex.dailies") solvedDays.value = storedDays();
});

/** How far a first game has come: the step shown last, and the steps whose task was done. */
export interface FirstGameProgress {
  step: number;
  done: number[];
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** Returns how far the first game of a game has come. */
export function firstGameProgress(game: string): FirstGameProgress {
  const found = load(`first-game.${game}`) as Partial<FirstGameProgress> | null;
  return {
    step: isCount(found?.step) ? found.step : 0,
    done: Array.isArray(found?.done) ? found.done.filter(isCount) : [],
  };
}

export function saveFirstGame(game: string, progress: FirstGameProgress): void {
  save(`first-game.${game}`, progress);
}

/** Remembers that a match is somebody's first of its game, so that its page gives advice. */
export function beginFirstMatch(match: string): void {
  save("first-match", match);
}

export function isFirstMatch(match: string): boolean {
  return load("first-match") === match;
}

export function exerciseSolved(game: string, number: number): void {
  // Another tab may have stored some.
  const stored = { ...solvedExercises.value, ...storedExercises() };
  const before = [...(solvedExercises.value[game] ?? []), ...(stored[game] ?? [])];
  solvedExercises.value = { ...stored, [game]: [...new Set([...before, number])] };
  save("exercises", solvedExercises.value);
}

export function daySolved(day: string): void {
  solvedDays.value = [...new Set([...solvedDays.value, ...storedDays(), day])].sort().slice(-MOST_DAYS);
  save("dailies", solvedDays.value);
}

/** Returns the day `days` before another, both written as 2026-11-22. */
export function before(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) - days * 86_400_000;
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the number of consecutive days solved, up to today, or up to yesterday if today is not solved yet. */
export function streak(days: ReadonlySet<string>, today: string): number {
  let length = 0;
  let day = days.has(today) ? today : before(today, 1);
  while (days.has(day)) {
    length++;
    day = before(day, 1);
  }
  return length;
}
