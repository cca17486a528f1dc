// Keeps what was solved with the account, so that all its devices know it.
//
// A browser shows the progress of whoever plays in it, and keeps that of others for when they return. What a guest has
// solved goes along when the guest signs in, and stays here too. The server adds everything together, and this adds its
// answer to what is here, so nothing is lost without a network, or when several devices store at once.

import { effect } from "@preact/signals";
import { ask } from "../client/api";
import { identity } from "../client/identity";
import { load, save } from "../client/storage";
import type { Progress } from "../wire";
import { setProgress, solvedDays, solvedExercises } from "./progress";
import { merged, readTraining, train, training } from "./training";

/** After a puzzle others may follow at once. */
const GATHER_MS = 1_000;

type Known = Required<Progress>;

const here = (): Known => ({ exercises: solvedExercises.value, days: solvedDays.value, ...training.value });

function show(progress: Known): void {
  if (JSON.stringify(progress) === JSON.stringify(here())) return;
  setProgress(progress.exercises, progress.days);
  train(readTraining(progress));
}

/** Returns what two devices have solved together. */
export function together(one: Known, other: Known): Known {
  const exercises = { ...one.exercises };
  for (const [game, numbers] of Object.entries(other.exercises))
    exercises[game] = [...new Set([...(exercises[game] ?? []), ...numbers])];
  const days = [...new Set([...one.days, ...other.days])].sort();
  return { exercises, days, ...merged(one, other) };
}

const NOTHING: Known = { exercises: {}, days: [], solved: {}, returns: {}, best: {} };

/** Reads progress that this browser has kept. */
function kept(name: string): Known {
  return { ...NOTHING, ...(load(`progress.${name}`) as Progress | null) };
}

/** Shows the progress of another account, or with an empty name that of the guest. */
export function switchTo(name: string): void {
  const before = load("progress.of") ?? "";
  if (name === before) return;
  const now = here();
  save(`progress.${before}`, now);
  save("progress.of", name || null);
  show(before === "" ? together(now, kept(name)) : kept(name));
}

let stored = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells the server what was solved here, and takes over what was solved elsewhere. */
export async function sync(): Promise<void> {
  const who = identity.value?.account ? identity.value : null;
  const sent = here();
  const text = JSON.stringify(sent);
  if (!who || `${who.name} ${text}` === stored) return;
  try {
    const answer = await ask<Known>("/me/progress", { method: "POST", body: sent });
    if (identity.value?.name !== who.name) return;
    stored = `${who.name} ${text}`;
    const next = together(here(), answer);
    // Anything solved in the meantime makes a difference again, and is sent then.
    if (JSON.stringify(here()) === text) stored = `${who.name} ${JSON.stringify(next)}`;
    show(next);
  } catch {
    // It is sent when the next puzzle is solved, or when the network is back.
  }
}

let follows = false;

/** Follows who plays here, and what is solved, from now on. */
export function follow(): void {
  if (follows) return;
  follows = true;
  effect(() => {
    switchTo(identity.value?.account ? identity.value.name : "");
  });
  effect(() => {
    if (!identity.value?.account || !here()) return;
    clearTimeout(timer);
    timer = setTimeout(sync, stored ? GATHER_MS : 0);
  });
  addEventListener("online", () => void sync());
}
