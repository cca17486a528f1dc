// The worker in browsers.

import type { ToWorker } from "./messages.ts";
import { serve } from "./serve.ts";

const scope = self as unknown as { postMessage(message: unknown): void; onmessage: (event: MessageEvent) => void };
const hear = serve((message) => scope.postMessage(message));
scope.onmessage = (event) => hear(event.data as ToWorker);
