// The browser's own databases, IndexedDB, in which analyses and drafts of games are saved.

/** An entry of the database. */
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

/** A database with one store of entries. */
export class Shelf {
  #opened: Promise<IDBDatabase> | null = null;
  /** Sends other tabs the ids of entries that were changed here. */
  readonly #changes: BroadcastChannel;

  constructor(
    private readonly name: string,
    private readonly store: string,
  ) {
    this.#changes = new BroadcastChannel(`acedrex.${store}`);
  }

  #database(): Promise<IDBDatabase> {
    this.#opened ??= new Promise<IDBDatabase>((done, failed) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore(this.store, { keyPath: "id" }).createIndex("changed", "changed");
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  async #open(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.#database()).transaction(this.store, mode).objectStore(this.store);
  }

  async save(entry: Stored): Promise<void> {
    await resultOf((await this.#open("readwrite")).put(entry));
    this.#changes.postMessage(entry.id);
  }

  async read<T extends Stored>(id: string): Promise<T | null> {
    return ((await resultOf((await this.#open("readonly")).get(id))) as T | undefined) ?? null;
  }

  async remove(id: string): Promise<void> {
    await resultOf((await this.#open("readwrite")).delete(id));
  }

  /** Returns the latest entries, the last changed first. */
  async latest<T extends Stored>(most = 50): Promise<T[]> {
    const request = (await this.#open("readonly")).index("changed").openCursor(null, "prev");
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

  /** Calls back when another tab has changed an entry. Returns a function that ends it. */
  onChange(id: string, changed: () => void): () => void {
    const listen = (event: MessageEvent) => event.data === id && changed();
    this.#changes.addEventListener("message", listen);
    return () => this.#changes.removeEventListener("message", listen);
  }
}

const analyses = new Shelf("acedrex", "analyses");

export const save = (analysis: Stored): Promise<void> => analyses.save(analysis);
export const read = <T extends Stored>(id: string): Promise<T | null> => analyses.read<T>(id);
export const remove = (id: string): Promise<void> => analyses.remove(id);
export const latest = <T extends Stored>(most?: number): Promise<T[]> => analyses.latest<T>(most);
export const onChange = (id: string, changed: () => void): (() => void) => analyses.onChange(id, changed);
