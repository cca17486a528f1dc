// What Node and browsers do differently. `node.ts` and `browser.ts` set it before anything else happens.

import { initSync } from "../compiled/core.js";
import { AcedrexError } from "./errors.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** A worker with a core of its own. */
export interface Channel {
  send(message: ToWorker): void;
  /** Ends the worker, whatever it is doing. */
  end(): void;
}

export interface Platform {
  /** Reads a file of this package. */
  read(address: URL): Promise<Uint8Array>;
  /** Starts a worker. */
  start(hear: (message: FromWorker) => void, fail: (error: Error) => void): Channel;
}

let platform: Platform | null = null;
let compiled: Promise<WebAssembly.Module> | null = null;
let ready = false;

export function usePlatform(chosen: Platform): void {
  platform = chosen;
}

/** Whether this thread is a worker of this package: it starts no others, and can be ended. */
export function isWorker(): boolean {
  return platform === null;
}

export function thePlatform(): Platform {
  if (!platform) throw new AcedrexError("import acedrex itself, not one of its files");
  return platform;
}

/** Return the compiled core, which workers share. */
export function compiledCore(): Promise<WebAssembly.Module> {
  compiled ??= thePlatform()
    .read(new URL("../compiled/core_bg.wasm", import.meta.url))
    .then((bytes) => WebAssembly.compile(bytes as BufferSource));
  // A failure, such as a lost connection, is not kept.
  compiled.catch(() => {
    compiled = null;
  });
  return compiled;
}

/** Start the core of this thread, if it has not been started. */
export function startCore(module: WebAssembly.Module): void {
  compiled ??= Promise.resolve(module);
  if (!ready) initSync({ module });
  ready = true;
}
