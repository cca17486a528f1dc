// The quick test of a game: what happened when the engine played it against itself.

import { signal } from "@preact/signals";
import type { Described, Played } from "../../../core/src/questions.ts";
import type { Remote } from "../../../core/src/remote.ts";
import { theCore } from "../core";
import type { Beginning } from "./play";

export const GAMES = 100;
/** How long one game may take, in seconds. */
const SECONDS = 60;

export interface Portrait {
  games: number;
  white: number;
  black: number;
  draws: number;
  /** White's points per game, and half the width of its 95 % interval. */
  score: number;
  margin: number;
  /** Turns of the shortest game, the middle one and the longest. */
  turns: { least: number; middle: number; most: number };
  /** How often games ended in each way, the commonest first; `unfinished` are those that were too long. */
  endings: [reason: string, count: number][];
}

/** Sums games up; there must be one. */
export function portraitOf(played: readonly Played[]): Portrait {
  const games = played.length;
  const won = (side: string) => played.filter(({ outcome }) => outcome?.winner === side).length;
  const [white, black] = [won("white"), won("black")];
  const points = played.map(({ outcome }) => (outcome?.winner === "white" ? 1 : outcome?.winner === "black" ? 0 : 0.5));
  const score = points.reduce((sum: number, point) => sum + point, 0) / games;
  const variance = points.reduce((sum: number, point) => sum + (point - score) ** 2, 0) / Math.max(1, games - 1);
  const turns = played.map((game) => game.turns).sort((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const { outcome } of played) {
    const reason = outcome?.termination ?? "unfinished";
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return {
    games,
    white,
    black,
    draws: games - white - black,
    score,
    margin: 1.96 * Math.sqrt(variance / games),
    turns: { least: turns[0] ?? 0, middle: turns[games >> 1] ?? 0, most: turns.at(-1) ?? 0 },
    endings: [...counts].sort((a, b) => b[1] - a[1]),
  };
}

/** Games of the engine against itself, as they are played. */
export class Series {
  readonly played = signal<readonly Played[]>([]);
  readonly state = signal<"none" | "playing" | "stopped" | "done" | "failed">("none");
  readonly definition = signal<{ text: string; game: Described } | null>(null);
  readonly level = signal(2);
  #remote: Remote | null = null;
  #run = 0;

  async begin(of: { text: string; game: Described }, { options, setup }: Beginning): Promise<void> {
    this.stop();
    const run = this.#run;
    this.definition.value = of;
    this.played.value = [];
    this.state.value = "playing";
    try {
      const core = await theCore();
      if (!core) throw new Error("no core");
      if (run !== this.#run) return;
      this.#remote = new core.Remote({ seconds: SECONDS });
      const report = (played: Played): void => {
        if (run === this.#run) this.played.value = [...this.played.value, played];
      };
      const start = of.game.setups > 0 ? setup : "random";
      await this.#remote.games(
        { text: of.text },
        { count: GAMES, level: this.level.value, options, setup: start },
        report,
      );
      if (run === this.#run) this.state.value = "done";
    } catch {
      if (run === this.#run) this.state.value = "failed";
    }
  }

  stop(): void {
    this.#run++;
    this.#remote?.close();
    this.#remote = null;
    if (this.state.value === "playing") this.state.value = "stopped";
  }
}
