// The browser's own databases, IndexedDB: one for each kind of thing that is saved.

/** An entry of a database. */
export interface Stored {
  id: string;
  /** When it was last changed, in milliseconds of Unix time. */
  changed: number;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

/** Waits until a change is on the disk: only then is it known that there was room. */
function written(request: IDBRequest): Promise<void> {
  const transaction = request.transaction as IDBTransaction;
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => failed(transaction.error);
  });
}

/** Returns the functions on a database, in which there is one store. Nothing is opened before it is needed. */
export function database(name: string, storeName: string) {
  let opened: Promise<IDBDatabase> | null = null;
  /** Sends other tabs the ids of entries that were changed here. */
  const changes = new BroadcastChannel(`acedrex.${storeName}`);

  async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    opened ??= new Promise<IDBDatabase>((done, failed) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore(storeName, { keyPath: "id" }).createIndex("changed", "changed");
      request.onsuccess = () => {
        // The browser may close it, as when the data of the site are deleted.
        request.result.onclose = () => {
          opened = null;
        };
        done(request.result);
      };
      request.onerror = () => failed(request.error);
    });
    opened.catch(() => {
      opened = null;
    });
    return (await opened).transaction(storeName, mode).objectStore(storeName);
  }

  return {
    async save(entry: Stored): Promise<void> {
      await written((await store("readwrite")).put(entry));
      changes.postMessage(entry.id);
    },

    /** Saves an entry in place of another one if `fits` says so of the one that is stored; returns whether it did. */
    async replace<T extends Stored>(entry: T, fits: (stored: T | undefined) => boolean): Promise<boolean> {
      const entries = await store("readwrite");
      if (!fits((await resultOf(entries.get(entry.id))) as T | undefined)) return false;
      await written(entries.put(entry));
      changes.postMessage(entry.id);
      return true;
    },

    /** Changes an entry as it is stored now, if it is, and tells other tabs nothing. */
    async update<T extends Stored>(id: string, changed: (stored: T) => T): Promise<void> {
      const entries = await store("readwrite");
      const stored = (await resultOf(entries.get(id))) as T | undefined;
      if (stored) await written(entries.put(changed(stored)));
    },

    async read<T extends Stored>(id: string): Promise<T | null> {
      return ((await resultOf((await store("readonly")).get(id))) as T | undefined) ?? null;
    },

    async remove(id: string): Promise<void> {
      await written((await store("readwrite")).delete(id));
    },

    /** Returns the latest entries, the last changed first. */
    async latest<T extends Stored>(most = 50): Promise<T[]> {
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
    },

    /** Calls back when another tab has changed an entry. Returns a function that ends it. */
    onChange(id: string, changed: () => void): () => void {
      const listen = (event: MessageEvent) => event.data === id && changed();
      changes.addEventListener("message", listen);
      return () => changes.removeEventListener("message", listen);
    },
  };
}

/** The analyses that this browser has saved. */
export const { save, update, read, remove, latest, onChange } = database("acedrex", "analyses");
