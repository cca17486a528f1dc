import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Review } from "../../src/analysis/review";
import type { SavedAnalysis } from "../../src/analysis/saved";
import { Study } from "../../src/analysis/study";
import { added, movesTo, START, start } from "../../src/analysis/tree";
import type { NodeMade } from "../../src/wire";
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

test("a move from another tab with the same number is shown", async () => {
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

test("a late answer is not shown for another tab's move with the same number", async () => {
  let answerFirst: ((answer: unknown) => void) | undefined;
  install((_, { body }) => {
    const [move] = JSON.parse(String(body)).moves;
    if (move === "e2e4") return new Promise((done) => (answerFirst = done));
    return position(1, { fen: `fen after ${move}` });
  });
  const study = new Study(saved("e2e4", 1));
  await vi.waitFor(() => expect(answerFirst).toBeDefined());
  disk.stored = saved("d2d4", 2);
  disk.tell();
  await vi.waitFor(() => expect(study.position.value.fen).toBe("fen after d2d4"));
  await vi.waitFor(() => expect(study.awaited.value).toBeNull());
  answerFirst?.(position(1, { fen: "fen after e2e4" }));
  await vi.advanceTimersByTimeAsync(10);
  expect(study.position.value.fen).toBe("fen after d2d4");
  study.close();
});

/** A study of e2e4 to which moves are being added, whose answer comes later: a function gives it, and waits for its end. */
async function played(
  moves = ["e7e5"],
  play = (study: Study) => study.play(moves),
): Promise<{ study: Study; answer: () => Promise<void> }> {
  let answered: ((answer: unknown) => void) | undefined;
  install((path) => (path.includes("/moves") ? new Promise((done) => (answered = done)) : position(1)));
  const study = new Study(saved("e2e4", 1));
  const playing = play(study);
  await vi.waitFor(() => expect(answered).toBeDefined());
  const nodes = moves.map((move) => ({
    parent: -1,
    move,
    san: move,
    side: "",
    turn: 1,
    fen: "fen",
    comment: "",
    nags: [],
  }));
  const answer = () => {
    answered?.({ nodes, position: position(2) });
    return playing;
  };
  return { study, answer };
}

/** Another tab has d2d4 as the first node, and e2e4 as the second. */
async function renumbered(study: Study): Promise<void> {
  const other = saved("d2d4", 2);
  const [tree] = added(other.tree, START, [{ ...(saved("e2e4", 1).tree[1] as never as NodeMade), parent: -1 }]);
  disk.stored = { ...other, tree };
  disk.tell();
  await vi.waitFor(() => expect(study.tree.value[1]?.move).toBe("d2d4"));
}

test("a move is added after the one it answers, even if another tab has renumbered that one", async () => {
  const { study, answer } = await played();
  await renumbered(study);
  await answer();
  expect(movesTo(study.tree.value, study.at.value)).toEqual(["e2e4", "e7e5"]);
  expect(study.tree.value[1]?.children).toEqual([]);
  study.close();
});

test("the first move of a line is shown, even if another tab has renumbered the move before it", async () => {
  const moves = ["e7e5", "g1f3"];
  const { study, answer } = await played(moves, (study) => study.showLine(moves, study.at.peek()));
  await renumbered(study);
  await answer();
  expect(movesTo(study.tree.value, study.at.value)).toEqual(["e2e4", "e7e5"]);
  study.close();
});

test("a move is not added if its parent has been deleted meanwhile", async () => {
  const { study, answer } = await played();
  study.prune();
  const { tree } = study.here;
  await answer();
  expect(study.here.tree).toBe(tree);
  expect(study.at.value).toBe(START);
  study.close();
});

test("a review that starts after its page is closed saves nothing", async () => {
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
