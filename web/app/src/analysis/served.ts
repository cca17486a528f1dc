// The server's analysts.

import { effect } from "@preact/signals";
import { identity, Socket, socketAt } from "../client";
import type { FromAnalyst, GameChoice, ToAnalyst } from "../wire";
import type { Analyst, Found, Hearer, Place } from "./analyst";

/** How long a position has to be shown before the server is asked. */
const PAUSE_MS = 200;

/** Analyses on the server, over a socket of its own. */
export class Served implements Analyst {
  private readonly socket: Socket<FromAnalyst, ToAnalyst>;
  private readonly unfollow: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What is asked for, again on every new connection. */
  private wanted: { place: Place; lines: number } | null = null;
  private found: Found | null = null;
  private count = 0;

  constructor(
    private readonly choice: GameChoice,
    private readonly hearer: Hearer,
  ) {
    this.socket = new Socket<FromAnalyst, ToAnalyst>(socketAt("/api/analysis/socket"), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: () => ({ type: "ping", at: Date.now() }),
      receive: (message) => this.receive(message),
    });
    this.unfollow = effect(() => {
      if (this.socket.standing.value === "open") this.ask();
    });
  }

  look(place: Place, lines: number): void {
    this.wanted = { place, lines };
    this.count += 1;
    this.found = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.wanted = null;
    this.count += 1;
    this.socket.send({ type: "stop" });
  }

  close(): void {
    clearTimeout(this.timer);
    this.unfollow();
    this.socket.close();
  }

  private ask(): void {
    if (!this.wanted) return;
    clearTimeout(this.timer);
    const { place, lines } = this.wanted;
    this.socket.send({ type: "look", id: String(this.count), ...this.choice, ...place, lines });
  }

  private receive(message: FromAnalyst): void {
    if (message.type === "pong" || message.id !== String(this.count)) return;
    if (message.type === "refused") {
      this.hearer.refused(message.error);
      return;
    }
    const { type: _, id: __, ...found } = message;
    this.found = found.lines.length > 0 || !this.found ? found : { ...this.found, done: found.done };
    this.hearer.found(this.found);
  }
}
