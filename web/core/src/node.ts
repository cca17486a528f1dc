// The package for Node.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { AcedrexError } from "./errors.ts";
import type { FromWorker } from "./messages.ts";
import { usePlatform } from "./platform.ts";

usePlatform({
  read: async (address) => new Uint8Array(await readFile(address)),
  start(hear, fail) {
    const worker = new Worker(new URL("./worker-node.js", import.meta.url), { execArgv: [] });
    let waiting = 0;
    worker.on("message", (message: FromWorker) => {
      // A worker that nobody waits for does not keep the program from ending.
      if (message.type !== "report" && --waiting === 0) worker.unref();
      hear(message);
    });
    worker.on("error", (error) => fail(new AcedrexError(`the worker has failed: ${error.message}`)));
    return {
      send: (message) => {
        if (waiting++ === 0) worker.ref();
        worker.postMessage(message);
      },
      end: () => void worker.terminate(),
    };
  },
});

export * from "./index.ts";
