// The browser's own database, IndexedDB, in which analyses are saved.

/** An entry of the database. */
export interface Stored {
  id: string;
  /** When it was last changed, in milliseconds of Unix time. */
  changed: number;
}

const STORE = "analyses";

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((done, failed) => {
    const request = indexedDB.open("acedrex", 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("changed", "changed");
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database()).transaction(STORE, mode).objectStore(STORE);
}

/** Sends other tabs the ids of analyses that were changed here. */
const changes = new BroadcastChannel("acedrex.analyses");

export async function save(analysis: Stored): Promise<void> {
  await resultOf((await store("readwrite")).put(analysis));
  changes.postMessage(analysis.id);
}

export async function read<T extends Stored>(id: string): Promise<T | null> {
  return ((await resultOf((await store("readonly")).get(id))) as T | undefined) ?? null;
}

export async function remove(id: string): Promise<void> {
  await resultOf((await store("readwrite")).delete(id));
}

/** Returns the latest analyses, the last changed first. */
export async function latest<T extends Stored>(most = 50): Promise<T[]> {
  const request = (await store("readonly")).index("changed").openCursor(null, "prev");
  return new Promise((done, failed) => {
    const found: T[] = [];
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || found.length >= most) done(found);
      else {
        found.push(cursor.value as T);
        cursor.continue();
      }
    };
    request.onerror = () => failed(request.error);
  });
}

/** Calls back when another tab has changed an analysis. Returns a function that ends it. */
export function onChange(id: string, changed: () => void): () => void {
  const listen = (event: MessageEvent) => event.data === id && changed();
  changes.addEventListener("message", listen);
  return () => changes.removeEventListener("message", listen);
}
