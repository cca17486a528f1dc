import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { database } from "../src/client/database";

/** Just enough of IndexedDB: whether there is room is known when a transaction ends, and connections can be lost. */
class FakeDatabase {
  static opened: FakeDatabase[] = [];
  static full = false;
  static entries = new Map<string, unknown>();
  onclose: (() => void) | null = null;
  private closed = false;

  lose(): void {
    this.closed = true;
    this.onclose?.();
  }

  transaction() {
    if (this.closed) throw new DOMException("the connection is closing", "InvalidStateError");
    const transaction = { error: new DOMException("full", "QuotaExceededError") } as unknown as IDBTransaction;
    const asked = (result: unknown, end: () => void) => {
      const request = { transaction, result } as IDBRequest;
      queueMicrotask(() => request.onsuccess?.(new Event("success")));
      setTimeout(end);
      return request;
    };
    const put = (entry: { id: string }) =>
      asked(entry.id, () => {
        if (FakeDatabase.full) return transaction.onabort?.(new Event("abort"));
        FakeDatabase.entries.set(entry.id, entry);
        transaction.oncomplete?.(new Event("complete"));
      });
    const get = (id: string) => asked(FakeDatabase.entries.get(id), () => undefined);
    return { objectStore: () => ({ put, get }) };
  }
}

const entry = { id: "one", changed: 0 };

beforeEach(() => {
  FakeDatabase.opened = [];
  FakeDatabase.full = false;
  FakeDatabase.entries.clear();
  const open = () => {
    const result = new FakeDatabase();
    FakeDatabase.opened.push(result);
    const request = { result } as unknown as IDBOpenDBRequest;
    queueMicrotask(() => request.onsuccess?.(new Event("success")));
    return request;
  };
  vi.stubGlobal("indexedDB", { open });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

test("saving fails while the disk is full", async () => {
  const { save, replace, read } = database("test", "entries");
  FakeDatabase.full = true;
  await expect(save(entry)).rejects.toThrow("full");
  await expect(replace(entry, () => true)).rejects.toThrow("full");
  FakeDatabase.full = false;
  await save(entry);
  expect(await read("one")).toEqual(entry);
});

test("a database that the browser has closed is reopened", async () => {
  const { save, read } = database("test", "entries");
  await save(entry);
  FakeDatabase.opened[0]?.lose();
  expect(await read("one")).toEqual(entry);
  expect(FakeDatabase.opened).toHaveLength(2);
});
