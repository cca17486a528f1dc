import { beforeEach, expect, test, vi } from "vitest";
import { become } from "../src/client";
import { daySolved, exerciseSolved, setProgress, solvedDays, solvedExercises } from "../src/learn/progress";
import { follow, switchTo, sync, together } from "../src/learn/sync";
import { readTraining, solved, train, training } from "../src/learn/training";
import type { Progress } from "../src/wire";
import { install } from "./fake-server";

const solve = (number: number) => train(solved(training.value, { game: "magi", number }, 0));
const numbers = () => training.value.solved.magi ?? [];
const ana = { token: "token-of-ana-0001", name: "Ana", account: true };

/** What the server knows of each account, by token. */
const stored = new Map<string, Required<Progress>>();
let isOffline = false;

function serve(): void {
  install((path, { headers, body }) => {
    if (isOffline || path !== "/api/me/progress") return null;
    const token = String(new Headers(headers).get("Authorization"));
    const sent = JSON.parse(String(body)) as Required<Progress>;
    stored.set(token, together(stored.get(token) ?? sent, sent));
    return stored.get(token) ?? null;
  });
}

function empty(): void {
  setProgress({}, []);
  train(readTraining(null));
}

beforeEach(() => {
  become(null);
  switchTo("");
  localStorage.clear();
  stored.clear();
  isOffline = false;
  empty();
  serve();
});

test("what was solved on one device is known on another", async () => {
  become(ana);
  switchTo("Ana");
  solve(1);
  exerciseSolved("magi", 4);
  daySolved("2026-11-01");
  await sync();
  // Another device, without anything.
  localStorage.clear();
  empty();
  switchTo("Ana");
  solve(2);
  await sync();
  expect([numbers(), solvedExercises.value, solvedDays.value]).toEqual([[2, 1], { magi: [4] }, ["2026-11-01"]]);
  const [known] = stored.values();
  expect(known?.solved.magi?.sort()).toEqual([1, 2]);
});

test("what was solved offline is sent later", async () => {
  become(ana);
  switchTo("Ana");
  isOffline = true;
  solve(1);
  await sync();
  expect(stored.size).toBe(0);
  isOffline = false;
  await sync();
  expect([...stored.values()].map((one) => one.solved)).toEqual([{ magi: [1] }]);
});

test("what a guest has solved goes along to an account, and stays the guest's", () => {
  solve(1);
  switchTo("Ana");
  solve(2);
  expect(numbers()).toEqual([1, 2]);
  switchTo("");
  expect(numbers()).toEqual([1]);
  // Nothing of Ana's is seen by somebody else, and all of it by her.
  switchTo("Bo");
  expect(numbers()).toEqual([1]);
  switchTo("Ana");
  expect(numbers()).toEqual([1, 2]);
});

test("the same is not told again", async () => {
  become(ana);
  switchTo("Ana");
  solve(1);
  await sync();
  const asked = vi.spyOn(globalThis, "fetch");
  await sync();
  expect(asked).not.toHaveBeenCalled();
  solve(2);
  await sync();
  expect(asked).toHaveBeenCalledTimes(1);
});

test("whoever signs in is followed", async () => {
  follow();
  solve(1);
  become(ana);
  await vi.waitFor(() => expect(stored.size).toBe(1));
  become(null);
  expect(localStorage.getItem("acedrex.progress.of")).toBe(null);
});
