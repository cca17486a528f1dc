// The package for browsers.

import { AcedrexError } from "./errors.ts";
import { usePlatform } from "./platform.ts";

usePlatform({
  async read(address) {
    const response = await fetch(address).catch(() => null);
    if (!response?.ok)
      throw new AcedrexError(`${address.href} cannot be loaded: ${response?.status ?? "no connection"}`);
    return new Uint8Array(await response.arrayBuffer());
  },
  start(hear, fail) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = (event) => hear(event.data);
    worker.onerror = (event) =>
      fail(new AcedrexError(`the worker has failed: ${event.message ?? "it cannot be loaded"}`));
    return { send: (message) => worker.postMessage(message), end: () => worker.terminate() };
  },
});

export * from "./index.ts";
