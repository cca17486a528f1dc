// A game of a draft on this page. It goes on by the rules that it began with, whatever happens to the draft.

import { signal } from "@preact/signals";
import type { Described, Reached } from "../../../core/src/questions.ts";
import type { Remote, RemoteBoard } from "../../../core/src/remote.ts";
import { theCore } from "../core";
import type { Reach, Side } from "../wire";

/** The core's answers take no longer than this, in seconds: full strength thinks for one. */
const SECONDS = 30;

/** How a game begins: with its options that are not at their default, and a setup at random or by its number. */
export interface Beginning {
  options: Record<string, string>;
  setup: number | "random";
}

/** Leaves out what a game does not have, such as after a change of its definition. */
function fitting(game: Described, { options, setup }: Beginning): Beginning {
  const known = ([name, value]: [string, string]) =>
    game.options.some((option) => option.name === name && option.values.includes(value));
  return {
    options: Object.fromEntries(Object.entries(options).filter(known)),
    setup: setup === "random" ? setup : Math.min(setup, Math.max(1, game.setups)),
  };
}

export class Play {
  readonly beginning = signal<Beginning>({ options: {}, setup: "random" });
  readonly definition = signal<{ text: string; game: Described } | null>(null);
  readonly reached = signal<Reached | null>(null);
  readonly moves = signal<readonly string[]>([]);
  readonly sans = signal<readonly string[]>([]);
  readonly state = signal<"ready" | "thinking" | "failed">("ready");
  /** The side that the engine plays. */
  readonly opponent = signal<Side | "none">("black");
  readonly level = signal(3);
  #setup: { setup?: number } = {};
  #remote: Remote | null = null;
  /** Grows with everything that a person does: answers to what was before are ignored. */
  #run = 0;

  close(): void {
    this.#run++;
    this.#remote?.close();
    this.#remote = null;
  }

  /** Begins a game of a definition without faults. */
  begin(of: { text: string; game: Described }, wanted: Beginning = this.beginning.value): Promise<void> {
    const { setup } = fitting(of.game, wanted);
    this.beginning.value = fitting(of.game, wanted);
    this.definition.value = of;
    const one = setup === "random" ? 1 + Math.floor(Math.random() * of.game.setups) : setup;
    this.#setup = of.game.setups > 0 ? { setup: one } : {};
    return this.#go([]);
  }

  choose(opponent: Side | "none"): Promise<void> {
    this.opponent.value = opponent;
    return this.#go(this.moves.value);
  }

  push(move: string): Promise<void> {
    return this.#go([...this.moves.value, move]);
  }

  /** Takes back the last move, and before it those of the engine. */
  async undo(): Promise<void> {
    const run = this.#began();
    let moves = this.moves.value;
    do {
      moves = moves.slice(0, -1);
      if (!(await this.#show(moves, run))) return;
    } while (moves.length > 0 && this.reached.value?.position.turn === this.opponent.value);
    await this.#reply(run);
  }

  async reach(square: string): Promise<Reach[]> {
    const definition = this.definition.value;
    if (!definition || this.state.value !== "ready") return [];
    const remote = await this.#core();
    return (await remote?.reach(definition, square, this.#board(), this.#options()).catch(() => [])) ?? [];
  }

  #board(moves: readonly string[] = this.moves.value): RemoteBoard {
    return { ...this.#setup, moves: [...moves] };
  }

  #options(): { options: Record<string, string> } {
    return { options: this.beginning.value.options };
  }

  async #core(): Promise<Remote | null> {
    const core = await theCore();
    if (core) this.#remote ??= new core.Remote({ seconds: SECONDS });
    return this.#remote;
  }

  #began(): number {
    if (this.state.value === "thinking") this.#remote?.stop();
    this.state.value = "ready";
    return ++this.#run;
  }

  async #go(moves: readonly string[]): Promise<void> {
    const run = this.#began();
    if (await this.#show(moves, run)) await this.#reply(run);
  }

  /** Shows the position after some moves; returns whether it is still wanted. */
  async #show(moves: readonly string[], run: number): Promise<boolean> {
    const definition = this.definition.value;
    if (!definition) return false;
    const reached = await this.#answer(run, (remote) =>
      remote.position(definition, this.#board(moves), this.#options()),
    );
    if (!reached) return false;
    const before = this.sans.value.slice(0, Math.max(0, moves.length - 1));
    this.moves.value = moves;
    this.sans.value = reached.san ? [...before, reached.san] : [];
    this.reached.value = reached;
    return true;
  }

  /** Lets the engine play while it is its turn. */
  async #reply(run: number): Promise<void> {
    const definition = this.definition.value;
    const waits = () => !this.reached.value?.outcome && this.reached.value?.position.turn === this.opponent.value;
    while (definition && run === this.#run && waits()) {
      this.state.value = "thinking";
      const turn = await this.#answer(run, (remote) =>
        remote.turn(definition, this.#board(), this.level.value, this.#options()),
      );
      if (!turn) return;
      for (const move of turn) if (!(await this.#show([...this.moves.value, move], run))) return;
      if (turn.length === 0) break;
    }
    if (run === this.#run) this.state.value = "ready";
  }

  async #answer<T>(run: number, ask: (remote: Remote) => Promise<T>): Promise<T | null> {
    try {
      const remote = await this.#core();
      const found = remote && (await ask(remote));
      if (run !== this.#run) return null;
      if (!found) this.state.value = "failed";
      return found;
    } catch {
      if (run === this.#run) this.state.value = "failed";
      return null;
    }
  }
}
