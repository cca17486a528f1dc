import { computed, effect, type Signal, signal, untracked } from "@preact/signals";
import { settings } from "../client";
import { load, save } from "../client/storage";
import { gameOf, theCore } from "../core";
import { networkOf } from "../local/load";
import type { GameChoice, Problem } from "../wire";
import type { Analyst, Found, Hearer, Place } from "./analyst";
import { Device } from "./device";
import type { Opened } from "./opened";
import { Served } from "./served";
import { movesTo, nodeOf } from "./tree";

/** The most moves that are given to an analyst; of a longer game only the position is. */
const MOST_MOVES = 800;

/** Returns who analyses positions of a game: the engine in this browser, or the server's. */
export async function appointed(choice: GameChoice, wanted: "device" | "server", hearer: Hearer): Promise<Analyst> {
  const core = wanted === "device" ? await theCore() : null;
  const game = core && (await gameOf(choice));
  const network = core && game && (await networkOf(core, game.id));
  return core && game ? new Device(core, game, network ?? "none", hearer) : new Served(choice, hearer);
}

/** The engine's lines of the position shown: from this browser, or from the server without the core or by choice. */
export class Look {
  readonly on: Signal<boolean>;
  readonly count = signal(clamp(load("analysis-lines")));
  readonly lines = signal<Found | null>(null);
  readonly refused = signal<Problem | null>(null);
  /** Who analyses; `null` while the core is being loaded. */
  private readonly analyst = signal<Analyst | null>(null);
  readonly loading = computed(() => this.on.value && this.analyst.value === null);
  private readonly ends: (() => void)[];
  private closed = false;

  /** @param allowed - Whether the engine may be asked: not about a match in progress. */
  constructor(
    private readonly study: Opened,
    allowed: boolean,
  ) {
    this.on = signal(allowed && load("analysis-engine") !== false);
    this.ends = [
      effect(() => {
        if (allowed) save("analysis-engine", this.on.value);
        save("analysis-lines", this.count.value);
      }),
      effect(() => {
        const wanted = settings.value.analysis;
        if (this.on.value) untracked(() => void this.appoint(wanted));
      }),
      effect(() => {
        // Reading these signals asks again whenever one changes.
        const [analyst, on, at, count] = [this.analyst.value, this.on.value, study.at.value, this.count.value];
        this.lines.value = null;
        this.refused.value = null;
        // A comment changes the analysis too, and must not begin the search again.
        untracked(() => (on ? analyst?.look(this.placeOf(at), count) : analyst?.stop()));
      }),
    ];
  }

  close(): void {
    this.closed = true;
    for (const end of this.ends) end();
    this.analyst.peek()?.close();
  }

  private appointed: "device" | "server" | null = null;

  /** Has the engine in this browser analyse, or the server. */
  private async appoint(wanted: "device" | "server"): Promise<void> {
    if (wanted === this.appointed) return;
    this.appointed = wanted;
    this.analyst.peek()?.close();
    this.analyst.value = null;
    const analyst = await appointed(this.study.choice, wanted, this.hearer(wanted));
    if (this.closed || this.appointed !== wanted) analyst.close();
    else this.analyst.value = analyst;
  }

  private hearer(of: "device" | "server") {
    return {
      found: (found: Found) => {
        this.lines.value = found;
      },
      refused: (problem: Problem) => {
        // Where the engine in this browser fails, the server's may not.
        if (problem.code === "engine_failed" && of === "device") void this.appoint("server");
        else this.refused.value = problem;
      },
    };
  }

  private placeOf(at: number): Place {
    const tree = this.study.tree.peek();
    const moves = movesTo(tree, at);
    return moves.length > MOST_MOVES ? { fen: nodeOf(tree, at).fen, moves: [] } : { fen: this.study.startFen, moves };
  }
}

function clamp(stored: unknown): number {
  return typeof stored === "number" ? Math.min(5, Math.max(1, Math.round(stored))) : 1;
}
