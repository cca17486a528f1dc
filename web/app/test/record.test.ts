import { expect, test, vi } from "vitest";
import { type LocalRecord, store } from "../src/local/record";

let stored: { number: number } | undefined;
let full = false;

vi.mock("../src/client/database", () => ({
  database: () => ({
    async replace(entry: { number: number }, fits: (stored: { number: number } | undefined) => boolean) {
      if (full) throw new Error("full");
      if (!fits(stored)) return false;
      stored = entry;
      return true;
    },
  }),
}));

const change = (number: number) => store({ number } as LocalRecord);

test("a change is stored unless another tab has stored one with the same number", async () => {
  expect([await change(1), await change(2), await change(2), stored?.number]).toEqual([true, true, false, 2]);
});

test("changes are stored again after a failure", async () => {
  full = true;
  await expect(change(3)).rejects.toThrow("no_storage");
  full = false;
  expect(await change(4)).toBe(true);
});
