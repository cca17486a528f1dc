import { afterEach, expect, test, vi } from "vitest";
import { Review } from "../../src/analysis/review";
import type { SavedAnalysis } from "../../src/analysis/saved";
import { Study } from "../../src/analysis/study";
import { START, start } from "../../src/analysis/tree";
import type { Finding } from "../../src/wire";
import { install } from "../fake-server";

const reviewed = vi.hoisted(() => vi.fn());
vi.mock("../../src/analysis/device", () => ({ reviewed }));
vi.mock("../../src/local/load", () => ({
  loadGame: async () => ({ core: {}, game: { id: "chess" } }),
  networkOf: async () => "none",
}));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.unstubAllGlobals();
});

/** The review of an analysis that is saved with a job. */
function reviewOf(job: string): { study: Study; review: Review } {
  const saved: SavedAnalysis = {
    id: "a",
    game: "chess",
    options: {},
    name: "Chess",
    setup: null,
    tags: {},
    tree: start("fen 0"),
    at: START,
    orientation: "white",
    job: { job, line: [START], found: [] },
    faults: [],
    changed: 0,
  };
  const study = new Study(saved);
  const review = new Review(study);
  closing.push(
    () => review.close(),
    () => study.close(),
  );
  return { study, review };
}

/** A promise, and what makes it fail. */
function failing(): { told: Promise<never>; fail: () => void } {
  let fail = () => {};
  const told = new Promise<never>((_, failed) => {
    fail = () => failed(new TypeError("lost"));
  });
  return { told, fail };
}

/** Waits until whatever is to follow at once has followed. */
const settled = () => new Promise((done) => setTimeout(done));

const NEW = { job: "new", done: 1, total: 1, found: [] };

test("the error of a server review is shown unless another review has replaced it", async () => {
  const { told, fail } = failing();
  install((path) => (path.includes("/jobs/new") ? NEW : path.includes("/jobs/old") ? told : null));
  const { study, review } = reviewOf("old");
  study.change({ job: { job: "new", line: [START] } });
  await vi.waitFor(() => expect(review.job.value?.job).toBe("new"));
  fail();
  await settled();
  expect(review.error.value).toBeNull();
  const other = reviewOf("old").review;
  await vi.waitFor(() => expect(other.error.value?.code).toBe("offline"));
});

test("the error of a browser review is shown unless another review has replaced it", async () => {
  const { told, fail } = failing();
  install((path) => (path.includes("/jobs/new") ? NEW : null));
  // biome-ignore lint/correctness/useYield: it fails before it finds anything.
  reviewed.mockImplementation(async function* (): AsyncGenerator<Finding> {
    await told;
  });
  const { study, review } = reviewOf("local-old");
  await vi.waitFor(() => expect(reviewed).toHaveBeenCalled());
  study.change({ job: { job: "new", line: [START] } });
  await vi.waitFor(() => expect(review.job.value?.job).toBe("new"));
  fail();
  await settled();
  expect(review.error.value).toBeNull();
  const other = reviewOf("local-old").review;
  await vi.waitFor(() => expect(other.error.value?.code).toBe("engine_failed"));
});
