// Fetches ahead what play without a network needs; the service worker keeps what passes through it.

import { signal } from "@preact/signals";
import { api, at } from "../client";
import { bytesOf } from "../client/files";
import { load, save } from "../client/storage";
import { coreFiles, theCore } from "../core";
import { language } from "../i18n";
import { before } from "../learn/progress";
import { refusal } from "../refusal";
import type { Daily } from "../wire";

/** How much has been fetched: files, and bytes before they are compressed for the way. */
export interface Progress {
  done: number;
  total: number;
  bytes: number;
}

export const progress = signal<Progress | null>(null);

/** What was kept last: the language of its texts and the day. */
const stamp = () => `${language.value} ${new Date().toISOString().slice(0, 10)}`;

/**
 * Fetches the core, all networks, and what there is to read and solve about the games that ship.
 *
 * Throws a refusal if something could not be fetched, or if this browser keeps nothing.
 */
export async function keepAll(): Promise<void> {
  if (!navigator.serviceWorker?.controller) throw refusal("no_worker");
  const files = await coreFiles();
  if (files.length === 0) throw refusal("no_core");
  // Without this the browser may drop what is kept when it runs short of space.
  await navigator.storage?.persist?.().catch(() => false);
  const games = (await api.games()).filter(({ origin }) => origin === "shipped");
  const lang = `lang=${language.value}`;
  const parts = (id: string) =>
    [`?${lang}`, `/lessons?${lang}`, `/first-game?${lang}`, "/exercises", "/puzzles"].map((part) => `${id}${part}`);
  const answers = games.flatMap(({ id }) => parts(id)).map((path) => at(`/api/games/${path}`));
  const all: (URL | string)[] = [...files, ...answers, at("/api/daily"), ...(await lastDays())];
  let now: Progress = { done: 0, total: all.length, bytes: 0 };
  progress.value = now;
  try {
    for (const address of all) {
      now = { ...now, done: now.done + 1, bytes: now.bytes + (await bytesOf(address)).length };
      progress.value = now;
    }
    save("kept", stamp());
  } catch (error) {
    progress.value = null;
    throw error;
  }
}

/** How many of the last puzzles of the day are kept. */
const DAYS = 7;

/** Returns the addresses of the puzzles of the last days. */
async function lastDays(): Promise<string[]> {
  const { today, first } = await api.daily(undefined);
  const days = Array.from({ length: DAYS }, (_, index) => before(today, index));
  return days.filter((day) => day >= first).map((day) => at(`/api/daily?date=${day}`));
}

/** Fetches the core and the puzzles of the last days, with their games, as far as they are not kept. */
export async function keepDays(): Promise<void> {
  if (!navigator.onLine || !navigator.serviceWorker?.controller || savesData()) return;
  await theCore();
  for (const address of await lastDays()) {
    if (await caches.match(address)) continue;
    const { game } = JSON.parse(new TextDecoder().decode(await bytesOf(address))) as Daily;
    await api.game(game);
  }
}

function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

const PAUSE_MS = 5000;

/** Fetches everything again once a day and for another language, a while after the start, unless data is to be saved. */
export function keepUpToDate(): void {
  const due = navigator.onLine && !savesData() && load("kept") !== stamp();
  if (due) setTimeout(() => void keepAll().catch(() => undefined), PAUSE_MS);
}
