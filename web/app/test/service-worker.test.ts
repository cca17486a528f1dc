// The service worker through updates of the app, with caches of its own.

import { expect, test } from "vitest";
import source from "../src/service-worker.js?raw";

const SCOPE = "http://localhost/app/";

class FakeCaches {
  readonly all = new Map<string, Map<string, Response>>();
  /** What the server has. */
  files = new Map<string, string>();

  keys = async () => [...this.all.keys()];
  delete = async (name: string) => this.all.delete(name);

  async open(name: string) {
    const cache = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, cache);
    return {
      keys: async () => [...cache.keys()].map((url) => ({ url })),
      addAll: async (paths: string[]) => {
        for (const path of paths) cache.set(new URL(path, SCOPE).href, new Response(this.files.get(path)));
      },
    };
  }

  async match(request: string | { url: string }, { cacheName }: { cacheName?: string } = {}) {
    const url = typeof request === "string" ? request : request.url;
    const caches = cacheName === undefined ? [...this.all.values()] : [this.all.get(cacheName)];
    return caches
      .map((cache) => cache?.get(url))
      .find(Boolean)
      ?.clone();
  }
}

const caches = new FakeCaches();

/** Installs and activates a version of the app with these files; returns how it answers without a network. */
async function update(files: Record<string, string>) {
  caches.files = new Map(Object.entries(files));
  const listeners = new Map<string, (event: object) => void>();
  const self = { registration: { scope: SCOPE }, skipWaiting: () => undefined, clients: { claim: () => undefined } };
  const code = source.replace("__SHELL__", JSON.stringify(Object.keys(files))).replace("__CORE__", "[]");
  const listen = (name: string, listener: (event: object) => void) => listeners.set(name, listener);
  const offline = () => Promise.reject(new TypeError("no network"));
  new Function("self", "caches", "addEventListener", "fetch", code)(self, caches, listen, offline);
  for (const name of ["install", "activate"]) {
    let done: Promise<void> | undefined;
    listeners.get(name)?.({ waitUntil: (work: Promise<void>) => (done = work) });
    await done;
  }
  return async (path: string, mode = "cors") => {
    let answer: Promise<Response | undefined> | undefined;
    const request = { method: "GET", mode, url: new URL(path, SCOPE).href };
    listeners.get("fetch")?.({ request, respondWith: (work: Promise<Response>) => (answer = work) });
    return (await answer)?.text();
  };
}

test("a page opened before an update can still load its files", async () => {
  caches.all.set("of another app", new Map());
  await update({ "./": "page 1", "icon.svg": "icon 1", "match-1.js": "match 1" });
  await update({ "./": "page 2", "icon.svg": "icon 2", "match-2.js": "match 2" });
  const asked = await update({ "./": "page 3", "icon.svg": "icon 3", "match-3.js": "match 3" });
  expect(await asked("match-2.js")).toBe("match 2");
  // What has the same name in both is of the new version.
  expect([await asked("new", "navigate"), await asked("icon.svg")]).toEqual(["page 3", "icon 3"]);
  // Not all versions are kept, and what is of others is left alone.
  await expect(asked("match-1.js")).rejects.toThrow("no network");
  expect([...caches.all.keys()]).toContain("of another app");
});
