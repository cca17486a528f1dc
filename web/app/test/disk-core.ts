// The core from the disk instead of the server, without workers: what tests put in the place of `src/core/platform.ts`.

import { usePlatform } from "../../core/src/platform.ts";

/** The app's types do not know Node. */
const disk: { existsSync(path: string): boolean; readFileSync(path: string): Uint8Array } = await import(
  "node:fs" as string
);
const compiled = import.meta.url.replace(/^file:\/\/(.*)app\/test\/.*/, "$1core/compiled/core_bg.wasm");

/** Whether the core has been compiled. */
export const hasCore = disk.existsSync(compiled);

usePlatform({
  read: async () => new Uint8Array(disk.readFileSync(compiled)),
  start: () => {
    throw new Error("these tests have no worker");
  },
});

export * as editing from "../../core/src/editing.ts";
export * from "../../core/src/index.ts";
export { attempt, Match } from "../../core/src/match.ts";
export const onProgress = (): void => undefined;
