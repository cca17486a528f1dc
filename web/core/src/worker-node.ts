// The worker in Node.

import { parentPort } from "node:worker_threads";
import { serve } from "./serve.ts";

const hear = serve((message) => parentPort?.postMessage(message));
parentPort?.on("message", hear);
