import { stillPosition } from "@acedrex/board";
import { computed, effect, type Signal, signal } from "@preact/signals";
import { api, Refusal } from "../client";
import * as ask from "../client/analysis";
import * as database from "../client/database";
import { refusal } from "../client/problem";
import type { GameChoice, Position, Side, TreeRequest, Tree as TreeTold } from "../wire";
import { readSaved, type SavedAnalysis } from "./saved";
import type { Shared } from "./share";
import * as tree from "./tree";

/** Milliseconds after the last change until it is kept. */
const PAUSE = 300;

/** An analysis that is open: its tree, what is looked at, and the positions that the server has told. */
export class Study {
  readonly id: string;
  readonly saved: Signal<SavedAnalysis>;
  /** The position looked at; without legal moves until the server has told them. */
  readonly position = signal<Position>(stillPosition(""));
  private readonly told = signal(false);
  readonly refused = signal<Refusal | null>(null);
  /** Whether this browser would not keep it, such as in a private window. */
  readonly unsaved = signal(false);
  readonly at = computed(() => this.here.at);
  readonly tree = computed(() => this.here.tree);
  private readonly positions = new Map<number, Position>();
  private readonly ends: (() => void)[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: AbortController | null = null;

  constructor(saved: SavedAnalysis) {
    this.id = saved.id;
    this.saved = signal(saved);
    this.ends = [effect(() => this.show(this.at.value)), database.onChange(saved.id, () => this.reread())];
    addEventListener("pagehide", this.flush);
    document.addEventListener("visibilitychange", this.seen);
  }

  get here(): SavedAnalysis {
    return this.saved.value;
  }

  get choice(): GameChoice {
    return { game: this.here.game, options: this.here.options };
  }

  get startFen(): string {
    return tree.nodeOf(this.here.tree, tree.START).fen;
  }

  close(): void {
    this.flush();
    for (const end of this.ends) end();
    removeEventListener("pagehide", this.flush);
    document.removeEventListener("visibilitychange", this.seen);
    this.asking?.abort();
  }

  /** Changes something, and keeps it in a moment. */
  change(change: Partial<SavedAnalysis>): void {
    this.saved.value = { ...this.here, ...change, changed: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(this.flush, PAUSE);
  }

  private readonly flush = (): void => {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    database.save(this.here).then(
      () => {
        this.unsaved.value = false;
      },
      () => {
        this.unsaved.value = true;
      },
    );
  };

  /** Browsers put tabs to sleep that nobody looks at, and those hear of no change. */
  private readonly seen = (): void => {
    if (document.hidden) this.flush();
    else void this.reread();
  };

  /** Another tab has changed it: what was not changed here since is taken over. */
  private async reread(): Promise<void> {
    const saved = await readSaved(this.id);
    if (!saved || this.timer !== undefined || saved.changed <= this.here.changed) return;
    this.positions.clear();
    this.saved.value = { ...saved, at: saved.tree[this.here.at] ? this.here.at : saved.at };
  }

  goTo(at: number): void {
    if (at !== this.here.at && this.here.tree[at]) this.change({ at });
  }

  /** Goes along the line that one is on. */
  step(by: number): void {
    const line = tree.lineThrough(this.here.tree, this.here.at);
    const place = line.indexOf(this.here.at) + by;
    this.goTo(line[Math.max(0, Math.min(line.length - 1, place))] ?? tree.START);
  }

  /** Makes moves from here, in coordinates or in SAN; those that are known are only gone to. */
  async play(moves: string[], from = this.here.at): Promise<void> {
    this.refused.value = null;
    let [here, rest] = [from, moves];
    for (let next = tree.childWith(this.here.tree, here, rest[0] ?? ""); next !== null && rest.length > 0; ) {
      [here, rest] = [next, rest.slice(1)];
      next = tree.childWith(this.here.tree, here, rest[0] ?? "");
    }
    if (rest.length === 0) {
      this.goTo(here);
      return;
    }
    try {
      const { nodes, position } = await ask.moves({
        ...this.choice,
        fen: tree.nodeOf(this.here.tree, here).fen,
        moves: rest,
      });
      const [grown, last] = tree.added(this.here.tree, here, nodes);
      this.positions.set(last, { ...position, ply: tree.pathTo(grown, last).length });
      this.change({ tree: grown, at: last });
    } catch (error) {
      this.refused.value = error instanceof Refusal ? error : refusal("broken");
      this.position.value = { ...this.position.value };
    }
  }

  comment(text: string): void {
    this.change({ tree: tree.commented(this.here.tree, this.here.at, text) });
  }

  mark(nag: number): void {
    this.change({ tree: tree.marked(this.here.tree, this.here.at, nag) });
  }

  prune(at = this.here.at): void {
    const [left, before] = tree.pruned(this.here.tree, at);
    // Numbers that are free again must not mean what they meant before.
    for (const node of this.positions.keys()) if (!left[node]) this.positions.delete(node);
    const job = this.here.job?.line.every((node) => left[node]) ? this.here.job : null;
    this.change({ tree: left, at: left[this.here.at] ? this.here.at : before, job });
  }

  promote(at = this.here.at): void {
    this.change({ tree: tree.promoted(this.here.tree, at) });
  }

  turnBoard(): void {
    this.change({ orientation: this.here.orientation === "white" ? "black" : "white" });
  }

  /** Shows the pieces at once, and what may be played as soon as the server has said it. */
  private show(at: number): void {
    this.asking?.abort();
    const known = this.positions.get(at);
    this.told.value = known !== undefined;
    if (known) {
      this.position.value = known;
      return;
    }
    const node = tree.nodeOf(this.tree.peek(), at);
    const ply = tree.pathTo(this.tree.peek(), at).length;
    // Inside a turn a FEN's first field is of the turn's beginning, so there the server is waited for.
    if (node.fen.split(" ").length < 7) this.position.value = { ...stillPosition(node.fen), ply };
    const before = at === tree.START ? node.fen : tree.nodeOf(this.tree.peek(), node.parent).fen;
    const asking = new AbortController();
    this.asking = asking;
    const { game, options } = this.saved.peek();
    const asked = { game, options, fen: before, moves: at === tree.START ? [] : [node.move] };
    api.position(asked, asking.signal).then(
      (position) => {
        const told = { ...position, ply };
        this.positions.set(at, told);
        if (this.at.peek() !== at) return;
        this.position.value = told;
        this.told.value = true;
      },
      (error: unknown) => {
        if (!asking.signal.aborted) this.refused.value = error instanceof Refusal ? error : refusal("broken");
      },
    );
  }

  /** Whether the server has told the position and nothing can be played in it. */
  readonly over = computed(() => this.told.value && this.position.value.legal.length === 0);

  /** What the server is sent to read or write the tree. */
  asked(): TreeRequest {
    const { tags, tree: all } = this.here;
    const { nodes } = tree.listed(all);
    return { ...this.choice, fen: this.startFen, nodes, comment: tree.nodeOf(all, tree.START).comment, tags };
  }

  /** All of it, for an address. */
  shared(): Shared {
    const { game, options, tags, tree: all, at, orientation, job } = this.here;
    const { nodes, places } = tree.listed(all);
    const { fen, comment } = tree.nodeOf(all, tree.START);
    return {
      game,
      options,
      fen,
      comment,
      tags,
      nodes,
      at: places.get(at) ?? -1,
      orientation,
      job: job && { job: job.job, places: job.line.map((node) => places.get(node) ?? -2) },
    };
  }
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A new analysis of a tree that the server has read, kept from now on. */
export async function saveNew(told: TreeTold, more: Partial<SavedAnalysis> = {}): Promise<string> {
  const saved: SavedAnalysis = {
    id: newId(),
    game: told.game,
    options: told.options,
    name: told.name,
    setup: told.setup,
    tags: told.tags,
    tree: tree.grown(told),
    at: tree.START,
    orientation: "white" satisfies Side,
    job: null,
    faults: told.faults,
    changed: Date.now(),
    ...more,
  };
  await database.save(saved).catch(() => {
    throw refusal({ code: "no_storage", message: "", where: null });
  });
  return saved.id;
}

/** An analysis out of an address. */
export async function saveShared(shared: Shared): Promise<string> {
  const { game, options, fen, nodes, comment, tags, at, orientation, job } = shared;
  const told = await ask.tree({ game, options, fen, nodes, comment, tags });
  const line = job?.places.map((place) => place + 1) ?? [];
  return saveNew(told, { at: at + 1, orientation, job: job && { job: job.job, line } });
}
