// The npm package's core for pages of any site. It is loaded when a board first needs rules.

import { AcedrexError } from "../../core/src/errors.ts";
import { usePlatform } from "../../core/src/platform.ts";
import worker from "../../core/src/worker.ts?worker&url";

/** How long a worker may take until it answers for the first time. */
const START_MS = 15_000;

usePlatform({
  async read(address) {
    const response = await fetch(address, { credentials: "omit" }).catch(() => null);
    if (!response?.ok) throw new AcedrexError(`${address.href} cannot be loaded`);
    return new Uint8Array(await response.arrayBuffer());
  },
  start(hear, fail) {
    const started = startWorker(new URL(worker, import.meta.url));
    // Browsers may say nothing when the page's policy forbids a worker.
    const silent = setTimeout(() => fail(new AcedrexError("the worker cannot be started")), START_MS);
    started.onmessage = (event) => {
      clearTimeout(silent);
      hear(event.data);
    };
    started.onerror = (event) => fail(new AcedrexError(`the worker has failed: ${event.message ?? "not loaded"}`));
    return { send: (message) => started.postMessage(message), end: () => started.terminate() };
  },
});

/** Start the worker; browsers refuse those of other sites, so there it is imported by a line of our own. */
function startWorker(address: URL): Worker {
  if (address.origin === self.origin) return new Worker(address, { type: "module" });
  const line = URL.createObjectURL(new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" }));
  const started = new Worker(line, { type: "module" });
  // The worker has read it by the time that it answers.
  started.addEventListener("message", () => URL.revokeObjectURL(line), { once: true });
  return started;
}

export { readOptions } from "../../core/src/game.ts";
export * from "../../core/src/index.ts";
