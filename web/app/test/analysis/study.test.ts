import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Review } from "../../src/analysis/review";
import type { SavedAnalysis } from "../../src/analysis/saved";
import { Study } from "../../src/analysis/study";
import { added, START, start } from "../../src/analysis/tree";
import { install, position } from "../fake-server";

const disk = vi.hoisted(() => ({ stored: null as unknown, save: vi.fn(async () => {}), tell: () => {} }));
vi.mock("../../src/client/database", () => ({
  read: async () => disk.stored,
  save: disk.save,
  onChange: (_: string, changed: () => void) => {
    disk.tell = changed;
    return () => {};
  },
  database: () => ({}),
}));

/** An analysis of one move, saved at some time. */
function saved(move: string, changed: number): SavedAnalysis {
  const made = { move, san: move, side: "white", turn: 1, fen: `fen after ${move}`, comment: "" } as const;
  const [tree, at] = added(start("fen 0"), START, [{ ...made, nags: [], parent: 0 }]);
  const rest = { options: {}, setup: null, tags: {}, job: null, orientation: "white" } as const;
  return { id: "a", game: "chess", name: "Chess", ...rest, faults: [], tree, at, changed };
}

beforeEach(() => {
  disk.save.mockClear();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("another tab's move of the same number is shown", async () => {
  install((_, { body }) => {
    const [move] = JSON.parse(String(body)).moves;
    return position(1, { fen: `fen after ${move}` });
  });
  const study = new Study(saved("e2e4", 1));
  await vi.waitFor(() => expect(study.awaited.value).toBeNull());
  disk.stored = saved("d2d4", 2);
  disk.tell();
  await vi.waitFor(() => expect(study.tree.value[1]?.move).toBe("d2d4"));
  await vi.waitFor(() => expect(study.awaited.value).toBeNull());
  expect(study.position.value.fen).toBe("fen after d2d4");
  study.close();
});

test("a review that begins after its page was closed saves nothing", async () => {
  let begun: ((job: unknown) => void) | undefined;
  install((path) => (path.includes("/jobs") ? new Promise((done) => (begun = done)) : position(1)));
  const study = new Study(saved("e2e4", 1));
  const review = new Review(study);
  const beginning = review.begin();
  await vi.waitFor(() => expect(begun).toBeDefined());
  review.close();
  study.close();
  begun?.({ job: "job", done: 0, total: 2, found: [] });
  await beginning;
  vi.runAllTimers();
  expect(disk.save).not.toHaveBeenCalled();
});
