// The npm package's core in this app: its files are in the bundle, so its worker and addresses are those that Vite gives.

import { AcedrexError } from "../../../core/src/errors.ts";
import { usePlatform } from "../../../core/src/platform.ts";

usePlatform({
  async read(address) {
    const response = await fetch(address).catch(() => null);
    if (!response?.ok) throw new AcedrexError(`${address.href} cannot be loaded`);
    return new Uint8Array(await response.arrayBuffer());
  },
  start(hear, fail) {
    const worker = new Worker(new URL("../../../core/src/worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event) => hear(event.data);
    worker.onerror = (event) => fail(new AcedrexError(`the worker has failed: ${event.message ?? "not loaded"}`));
    return { send: (message) => worker.postMessage(message), end: () => worker.terminate() };
  },
});

export { networks } from "../../../core/compiled/networks.js";

/** The address of the compiled core. */
export const compiled = new URL("../../../core/compiled/core_bg.wasm", import.meta.url);
export * from "../../../core/src/index.ts";
