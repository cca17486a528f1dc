// When the core reads a draft, with a core that answers as a test wants.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Definition } from "../../../core/src/game.ts";
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
        done({ faults: [], tree: null, game: null });
      }
      setTimeout(() => this.close(), 4000);
    });
  }

  close(): void {
    for (const failed of this.waiting.splice(0)) failed(new Error("it took longer than 4 seconds"));
  }
}

let core = Promise.resolve({ Remote: FakeRemote });
vi.mock("../../src/core", () => ({ theCore: () => core, loadedCore: () => null }));
vi.mock("../../src/studio/drafts", async (original) => ({
  ...(await original<object>()),
  draftStore: { save: async () => undefined, onChange: () => () => undefined },
}));

const stored = { id: "one", text: "slow", earlier: [], thrown: false, changed: 0 };

beforeEach(() => {
  vi.useFakeTimers();
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
