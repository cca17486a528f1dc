import { stillPosition } from "@acedrex/board";
import { computed, effect, type Signal, signal } from "@preact/signals";
import { api, Refusal } from "../client";
import * as ask from "../client/analysis";
import * as database from "../client/database";
import { isLocal } from "../local/id";
import { refusal } from "../refusal";
import type { GameChoice, Position, Tree as ServerTree, Side } from "../wire";
import { type Reviewing, readSaved, type SavedAnalysis } from "./saved";
import type { Shared } from "./share";
import * as tree from "./tree";

/** How long after the last change an analysis is saved. */
const PAUSE_MS = 300;

/** An open analysis: its tree, the node shown, and the positions seen so far. */
export class Study {
  readonly id: string;
  readonly saved: Signal<SavedAnalysis>;
  /** The position shown; without legal moves, or the one before it within a turn, until they are known. */
  readonly position = signal<Position>(stillPosition(""));
  /** The FEN of the position whose legal moves are not known yet, if any. */
  readonly awaited = signal<string | null>("");
  readonly refused = signal<Refusal | null>(null);
  /** Whether this browser refuses to save it, such as in a private window. */
  readonly unsaved = signal(false);
  readonly at = computed(() => this.here.at);
  readonly tree = computed(() => this.here.tree);
  private readonly positions = new Map<number, Position>();
  private readonly ends: (() => void)[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: AbortController | null = null;
  private closed = false;

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
    this.closed = true;
    for (const end of this.ends) end();
    removeEventListener("pagehide", this.flush);
    document.removeEventListener("visibilitychange", this.seen);
    this.pending?.abort();
  }

  /** Changes something, and saves it after a pause. What comes after it was closed could undo what came since. */
  change(change: Partial<SavedAnalysis>): void {
    if (this.closed) return;
    this.saved.value = { ...this.here, ...change, changed: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(this.flush, PAUSE_MS);
  }

  /**
   * Keeps what a review has found so far. Every tab reviews, and what it finds is no change of the analysis: only the
   * review is stored, or changes of another tab would be lost.
   */
  keepReview(job: Reviewing): void {
    this.saved.value = { ...this.here, job };
    database
      .update<SavedAnalysis>(this.id, (stored) => (stored.job?.job === job.job ? { ...stored, job } : stored))
      .catch(() => {
        this.unsaved.value = true;
      });
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

  /** Browsers may suspend hidden tabs, which then miss the changes of other tabs. */
  private readonly seen = (): void => {
    if (document.hidden) this.flush();
    else void this.reread();
  };

  /** Takes over the changes of another tab, unless there are unsaved changes here. */
  private async reread(): Promise<void> {
    const saved = await readSaved(this.id);
    if (!saved || this.timer !== undefined || saved.changed <= this.here.changed) return;
    const { at } = this.here;
    this.positions.clear();
    this.saved.value = { ...saved, at: saved.tree[at] ? at : saved.at };
    // The same number may be another move now.
    if (this.here.at === at) this.show(at);
  }

  goTo(at: number): void {
    if (at === this.here.at || !this.here.tree[at]) return;
    this.refused.value = null;
    this.change({ at });
  }

  /** Steps along the current line. */
  step(by: number): void {
    const line = tree.lineThrough(this.here.tree, this.here.at);
    const place = line.indexOf(this.here.at) + by;
    this.goTo(line[Math.max(0, Math.min(line.length - 1, place))] ?? tree.START);
  }

  /** Plays moves, in coordinates or SAN. Moves that are in the tree already are not added again. */
  async play(moves: string[], from = this.here.at): Promise<void> {
    this.refused.value = null;
    const [here, rest] = tree.followed(this.here.tree, from, moves);
    if (rest.length === 0) {
      this.goTo(here);
      return;
    }
    const before = tree.movesTo(this.here.tree, here);
    try {
      const { nodes, position } = await api.moves({
        ...this.choice,
        fen: tree.nodeOf(this.here.tree, here).fen,
        moves: rest,
      });
      // Meanwhile the node may be deleted, or another move may have its number: in the tree of another tab, or here.
      const [there, missing] = tree.followed(this.here.tree, tree.START, before);
      if (missing.length > 0) return;
      const [grown, last] = tree.added(this.here.tree, there, nodes);
      this.positions.set(last, { ...position, ply: tree.pathTo(grown, last).length });
      this.change({ tree: grown, at: last });
    } catch (error) {
      this.refused.value = error instanceof Refusal ? error : refusal("broken");
      this.position.value = { ...this.position.value };
    }
  }

  /** Adds a line after a node, and shows its first move. */
  async showLine(moves: string[], from: number): Promise<void> {
    const before = tree.movesTo(this.here.tree, from);
    await this.play(moves, from);
    // Meanwhile the nodes may have other numbers, as in `play`.
    const [first, missing] = tree.followed(this.here.tree, tree.START, [...before, ...moves.slice(0, 1)]);
    if (missing.length === 0) this.goTo(first);
  }

  comment(text: string): void {
    this.change({ tree: tree.commented(this.here.tree, this.here.at, text) });
  }

  mark(nag: number): void {
    this.change({ tree: tree.marked(this.here.tree, this.here.at, nag) });
  }

  prune(at = this.here.at): void {
    const [left, before] = tree.pruned(this.here.tree, at);
    // A new node may reuse the number of a deleted one, but not its position.
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

  /** Shows the pieces at once, and the legal moves once they are known. */
  private show(at: number): void {
    this.pending?.abort();
    const node = tree.nodeOf(this.tree.peek(), at);
    const cached = this.positions.get(at);
    this.awaited.value = cached ? null : node.fen;
    if (cached) {
      this.position.value = cached;
      return;
    }
    const ply = tree.pathTo(this.tree.peek(), at).length;
    // Within a turn the first field of a FEN is the position at the start of the turn: wait.
    if (node.fen.split(" ").length < 7) this.position.value = { ...stillPosition(node.fen), ply };
    const before = at === tree.START ? node.fen : tree.nodeOf(this.tree.peek(), node.parent).fen;
    const pending = new AbortController();
    this.pending = pending;
    const { game, options } = this.saved.peek();
    const request = { game, options, fen: before, moves: at === tree.START ? [] : [node.move] };
    api.position(request, pending.signal).then(
      (answer) => {
        // The core does not hear the signal, and the same number may be another move now.
        if (pending.signal.aborted) return;
        const position = { ...answer, ply };
        this.positions.set(at, position);
        this.position.value = position;
        this.awaited.value = null;
      },
      (error: unknown) => {
        if (!pending.signal.aborted) this.refused.value = error instanceof Refusal ? error : refusal("broken");
      },
    );
  }

  /** Whether the position is known and has no legal moves. */
  readonly over = computed(() => this.awaited.value === null && this.position.value.legal.length === 0);

  /** The whole analysis, for a link. */
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
      // A review of this browser is nowhere else.
      job: job && !isLocal(job.job) ? { job: job.job, places: job.line.map((node) => places.get(node) ?? -2) } : null,
    };
  }
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Saves a new analysis of a tree from the server; returns its id. */
export async function saveNew(from: ServerTree, more: Partial<SavedAnalysis> = {}): Promise<string> {
  const saved: SavedAnalysis = {
    id: newId(),
    game: from.game,
    options: from.options,
    name: from.name,
    setup: from.setup,
    tags: from.tags,
    tree: tree.grown(from),
    at: tree.START,
    orientation: "white" satisfies Side,
    job: null,
    faults: from.faults,
    more: from.more,
    changed: Date.now(),
    ...more,
  };
  await database.save(saved).catch(() => {
    throw refusal({ code: "no_storage", message: "", where: null });
  });
  return saved.id;
}

/** Saves an analysis from a link; returns its id. */
export async function saveShared(shared: Shared): Promise<string> {
  const { game, options, fen, nodes, comment, tags, at, orientation, job } = shared;
  const answer = await ask.tree({ game, options, fen, nodes, comment, tags });
  const line = job?.places.map((place) => place + 1) ?? [];
  return saveNew(answer, { at: at + 1, orientation, job: job && { job: job.job, line } });
}
