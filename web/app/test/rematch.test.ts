import { expect, test, vi } from "vitest";
import { LocalMatch } from "../src/local/local-match";
import type { LocalRecord } from "../src/local/record";

const record = { id: "local-1", number: 1, opponent: "self", rematch: null } as LocalRecord;
const beginRematch = vi.hoisted(() => vi.fn());
vi.mock("../src/local/start", () => ({ beginRematch }));
vi.mock("../src/local/record", () => ({
  matches: { read: async () => null, onChange: () => () => undefined },
  store: async () => true,
}));
vi.mock("../src/local/play", () => ({
  openPlay: async () => ({
    record,
    phase: "over",
    wake: () => undefined,
    untilFlag: () => null,
    snapshot: () => ({ number: 1 }),
    follow: (next: LocalRecord) => Object.assign(record, next),
  }),
}));

test("a double click begins one rematch, and a failure can be tried again", async () => {
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
