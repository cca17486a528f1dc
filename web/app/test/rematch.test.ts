import { beforeEach, expect, test, vi } from "vitest";
import { LocalMatch } from "../src/local/local-match";
import type { LocalRecord } from "../src/local/record";

const disk = vi.hoisted(() => ({ read: vi.fn(), store: vi.fn(), remove: vi.fn() }));
/** A record, of which only the rematch matters. */
type Short = LocalRecord & { rematch: string | null };
const record = { id: "local-1", number: 1, opponent: "self", rematch: null } as Short;
const beginRematch = vi.hoisted(() => vi.fn());
vi.mock("../src/local/start", () => ({ beginRematch }));
vi.mock("../src/local/record", () => ({
  matches: { read: disk.read, remove: disk.remove, onChange: () => () => undefined },
  store: disk.store,
}));
vi.mock("../src/local/play", () => ({
  openPlay: async () => ({
    record,
    phase: "over",
    get state() {
      return { number: record.number, rematch: record.rematch };
    },
    afterRematch: (rematch: string) => ({ ...record, rematch }),
    wake: () => undefined,
    untilFlag: () => null,
    snapshot: () => ({ number: record.number, rematch: record.rematch }),
    follow: (next: LocalRecord) => Object.assign(record, next),
  }),
}));

beforeEach(() => {
  vi.resetAllMocks();
  Object.assign(record, { number: 1, rematch: null });
  disk.store.mockResolvedValue(true);
  disk.read.mockResolvedValue(null);
});

test("a double click starts one rematch, and a failed one can be retried", async () => {
  const match = new LocalMatch(record.id);
  await vi.waitFor(() => expect(match.state.value).not.toBeNull());
  const click = () => match.command({ type: "offer", what: "rematch" });
  beginRematch.mockRejectedValueOnce(new Error("full"));
  click();
  await vi.waitFor(() => expect(match.refused.value?.code).toBe("no_storage"));
  beginRematch.mockResolvedValue("local-2");
  click();
  click();
  await vi.waitFor(() => expect(record.rematch).toBe("local-2"));
  click();
  expect(beginRematch).toHaveBeenCalledTimes(2);
  match.close();
});

test("when two tabs start a rematch, the second joins that of the first", async () => {
  const match = new LocalMatch(record.id);
  await vi.waitFor(() => expect(match.state.value).not.toBeNull());
  beginRematch.mockResolvedValue("local-3");
  disk.store.mockResolvedValue(false);
  // The first tab adds the match to the archive, then it begins its rematch.
  disk.read
    .mockResolvedValueOnce({ ...record, number: 2 })
    .mockResolvedValueOnce({ ...record, number: 3, rematch: "local-2" });
  match.command({ type: "offer", what: "rematch" });
  await vi.waitFor(() => expect(disk.remove).toHaveBeenCalledWith("local-3"));
  expect(match.state.value?.rematch).toBe("local-2");
  expect(match.agreed).toBe(true);
  expect(disk.store.mock.calls.map(([next]) => [next.number, next.rematch])).toEqual([
    [2, "local-3"],
    [3, "local-3"],
  ]);
  match.close();
});
