// Questions to a worker that fails.

import { afterEach, expect, test, vi } from "vitest";
import { AcedrexError } from "../../core/src/errors.ts";
import type { FromWorker, ToWorker } from "../../core/src/messages.ts";
import { usePlatform } from "../../core/src/platform.ts";
import { Remote } from "../../core/src/remote.ts";

// The compiled core, which may not be there.
vi.mock("../../core/compiled/core.js", () => ({ initSync: () => undefined }));

const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const definition = { text: "" };

/** What each worker answers to questions; `null` if it dies of them. */
let answers: (FromWorker | null)[] = [];
let started = 0;
const remote = new Remote();

usePlatform({
  read: async () => EMPTY_MODULE,
  start(hear, fail) {
    const answer = answers[started++] ?? null;
    const send = (message: ToWorker) =>
      queueMicrotask(() => {
        if (message.type === "module") hear({ type: "done", value: null });
        else if (answer) hear(answer);
        else fail(new AcedrexError("the worker has failed"));
      });
    return { send, end: () => undefined };
  },
});

afterEach(() => {
  remote.stop();
  started = 0;
});

test("a new worker answers after one dies", async () => {
  answers = [null, { type: "done", value: ["b3"] }];
  await expect(remote.reach(definition, "b1")).rejects.toThrow("the worker has failed");
  expect(await remote.reach(definition, "b1")).toEqual(["b3"]);
});

test("a new worker answers after the core fails, but not after a faulty definition", async () => {
  const failed = (name: string): FromWorker => ({ type: "failed", error: { name, message: "no", faults: [] } });
  answers = [failed("DefinitionError"), { type: "done", value: ["b3"] }];
  for (const _ of "12") await expect(remote.reach(definition, "b1")).rejects.toThrow("no");
  remote.stop();
  answers = [null, failed("AcedrexError"), { type: "done", value: ["b3"] }];
  await expect(remote.reach(definition, "b1")).rejects.toThrow("no");
  expect(await remote.reach(definition, "b1")).toEqual(["b3"]);
});
