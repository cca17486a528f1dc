// The npm package's core in this app: its files are in the bundle, so its worker and addresses are Vite's.

import { AcedrexError } from "../../../core/src/errors.ts";
import { usePlatform } from "../../../core/src/platform.ts";

/** The bytes of the compiled core: Vite writes the number here. */
declare const __CORE_BYTES__: number;

let tell: (part: number) => void = () => undefined;

/** Calls back with the part of the core that has been loaded, from 0 to 1. */
export function onProgress(hear: (part: number) => void): void {
  tell = hear;
}

async function fetched(address: URL): Promise<Uint8Array> {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok || !response.body) throw new AcedrexError(`${address.href} cannot be loaded`);
  if (!address.pathname.endsWith(".wasm")) return new Uint8Array(await response.arrayBuffer());
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      size += part.length;
      tell(Math.min(1, size / __CORE_BYTES__));
      out.enqueue(part);
    },
  });
  return new Uint8Array(await new Response(response.body.pipeThrough(counted)).arrayBuffer());
}

/** The bytes of networks, which every new worker needs again. */
const networkBytes = new Map<string, Promise<Uint8Array>>();

usePlatform({
  read(address) {
    if (!address.pathname.endsWith(".net")) return fetched(address);
    const known = networkBytes.get(address.href);
    if (known) return known;
    const network = fetched(address);
    networkBytes.set(address.href, network);
    network.catch(() => networkBytes.delete(address.href));
    return network;
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
export * as editing from "../../../core/src/editing.ts";
export * from "../../../core/src/index.ts";
export { attempt, Match } from "../../../core/src/match.ts";
export * as answers from "./answers";
