import { effect, signal } from "@preact/signals";
import { identity, Socket, socketAt } from "../client";
import { load, save } from "../client/storage";
import type { FromAnalyst, Lines, Problem, ToAnalyst } from "../wire";
import type { Study } from "./study";
import { movesTo, nodeOf } from "./tree";

/** How long a move has to be shown before the engine analyses it. */
const PAUSE_MS = 200;
/** The most moves that are sent; of a longer game only the position is sent. */
const MOST_MOVES = 800;

/** The engine's lines of the position shown, received over a socket of their own. */
export class Look {
  readonly on = signal(load("analysis-engine") !== false);
  readonly count = signal(clamp(load("analysis-lines")));
  readonly lines = signal<Lines | null>(null);
  readonly refused = signal<Problem | null>(null);
  private readonly socket: Socket<FromAnalyst, ToAnalyst>;
  private readonly ends: (() => void)[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = "";

  constructor(private readonly study: Study) {
    this.socket = new Socket<FromAnalyst, ToAnalyst>(socketAt("/api/analysis/socket"), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: () => ({ type: "ping", at: Date.now() }),
      receive: (message) => this.receive(message),
    });
    this.ends = [
      effect(() => {
        save("analysis-engine", this.on.value);
        save("analysis-lines", this.count.value);
      }),
      effect(() => {
        // Reading these signals asks again whenever one changes, the connection included.
        const open = this.socket.standing.value === "open";
        const at = study.at.value;
        const count = this.count.value;
        clearTimeout(this.timer);
        this.lines.value = null;
        this.refused.value = null;
        this.wanted = `${at}.${count}`;
        if (!open) return;
        if (this.on.value) this.timer = setTimeout(() => this.ask(at, count), PAUSE_MS);
        else this.socket.send({ type: "stop" });
      }),
    ];
  }

  close(): void {
    clearTimeout(this.timer);
    for (const end of this.ends) end();
    this.socket.close();
  }

  private ask(at: number, lines: number): void {
    const tree = this.study.tree.peek();
    const moves = movesTo(tree, at);
    const from =
      moves.length > MOST_MOVES ? { fen: nodeOf(tree, at).fen, moves: [] } : { fen: this.study.startFen, moves };
    this.socket.send({ type: "look", id: this.wanted, ...this.study.choice, ...from, lines });
  }

  private receive(message: FromAnalyst): void {
    if (message.type === "pong" || message.id !== this.wanted) return;
    if (message.type === "refused") {
      this.refused.value = message.error;
    } else {
      const before = this.lines.value;
      this.lines.value = message.lines.length > 0 || !before ? message : { ...before, done: message.done };
    }
  }
}

function clamp(stored: unknown): number {
  return typeof stored === "number" ? Math.min(5, Math.max(1, Math.round(stored))) : 1;
}
