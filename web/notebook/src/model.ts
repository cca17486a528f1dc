// The model of a widget, as far as it is used here.

import type { FromPage, FromPython, State } from "./messages.ts";

export interface Model {
  get<K extends keyof State>(key: K): State[K];
  on(event: `change:${keyof State}`, callback: () => void): void;
  on(event: "msg:custom", callback: (message: FromPython) => void): void;
  off(event: string, callback: unknown): void;
  send(message: FromPage): void;
}
