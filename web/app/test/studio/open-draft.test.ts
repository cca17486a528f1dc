// When the core reads a draft, with a core that answers as a test wants.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Definition } from "../../../core/src/game.ts";
import { setLanguage } from "../../src/i18n";
import { OpenDraft } from "../../src/studio/open-draft";

/** As the core's: the answers come in turn, and a question that takes too long ends those that wait. */
class FakeRemote {
  static started = 0;
  private waiting: ((error: Error) => void)[] = [];

  constructor() {
    FakeRemote.started++;
  }

  study({ text }: Definition): Promise<object> {
    return new Promise((done, failed) => {
      this.waiting.push(failed);
      if (text !== "slow" && this.waiting.length === 1) {
        this.waiting = [];
        done({ faults: [], inherited: null, game: null });
      }
      setTimeout(() => this.close(), 4000);
    });
  }

  close(): void {
    for (const failed of this.waiting.splice(0)) failed(new Error("it took longer than 4 seconds"));
  }
}

let core: Promise<{ Remote: typeof FakeRemote } | null> = Promise.resolve({ Remote: FakeRemote });
let asked = 0;
const theCore = () => {
  asked++;
  return core;
};
vi.mock("../../src/core", () => ({ theCore: () => theCore(), loadedCore: () => null }));
vi.mock("../../src/studio/drafts", async (original) => ({
  ...(await original<object>()),
  draftStore: { save: async () => undefined, onChange: () => () => undefined },
}));

const stored = { id: "one", text: "slow", earlier: [], thrown: false, changed: 0 };

beforeAll(() => setLanguage("en"));
beforeEach(() => {
  vi.useFakeTimers();
  core = Promise.resolve({ Remote: FakeRemote });
  FakeRemote.started = 0;
});
afterEach(() => vi.useRealTimers());

test("a text is read even if the one before took too long", async () => {
  const draft = new OpenDraft(stored);
  await vi.advanceTimersByTimeAsync(1000);
  draft.write("quick");
  await vi.advanceTimersByTimeAsync(4000);
  expect([draft.trouble.value, draft.studied.value?.text]).toEqual(["none", "quick"]);
  draft.close();
});

test("a draft closed while the core is loading starts no worker", async () => {
  let loaded: () => void = () => undefined;
  core = new Promise((done) => {
    loaded = () => done({ Remote: FakeRemote });
  });
  const draft = new OpenDraft(stored);
  await vi.advanceTimersByTimeAsync(10);
  draft.close();
  loaded();
  await vi.advanceTimersByTimeAsync(10);
  expect(FakeRemote.started).toBe(0);
});

test("without the core no text is waited for, also not one that is too long", async () => {
  core = Promise.resolve(null);
  const draft = new OpenDraft({ ...stored, text: "#".repeat(70_000) });
  expect(draft.waiting.value).toBe(true);
  await vi.advanceTimersByTimeAsync(10);
  expect([draft.trouble.value, draft.waiting.value]).toEqual(["core", false]);
  expect(draft.problems.value).toEqual([{ which: "text", line: 0, message: expect.stringContaining("70000") }]);
  draft.close();
});

test.each(["again", "online"])("the core that did not load is asked for once more: %s", async (how) => {
  core = Promise.resolve(null);
  const draft = new OpenDraft({ ...stored, text: "quick" });
  await vi.advanceTimersByTimeAsync(10);
  core = Promise.resolve({ Remote: FakeRemote });
  if (how === "again") draft.again();
  else dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(10);
  expect([draft.trouble.value, draft.studied.value?.text]).toEqual(["none", "quick"]);
  draft.close();
});

test("a draft that has the core, or is closed, asks for nothing when the network is back", async () => {
  const draft = new OpenDraft({ ...stored, text: "quick" });
  await vi.advanceTimersByTimeAsync(10);
  core = Promise.resolve(null);
  const closed = new OpenDraft({ ...stored, text: "quick" });
  await vi.advanceTimersByTimeAsync(10);
  closed.close();
  asked = 0;
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toBe(0);
  draft.close();
});
