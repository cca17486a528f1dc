import { stillPosition, turnStart } from "@acedrex/board";
import { computed, effect, type Signal, signal } from "@preact/signals";
import { api, type Refusal } from "../client";
import { isLocal } from "../local/id";
import { thrownRefusal } from "../refusal";
import type { GameChoice, NodeMade, Position } from "../wire";
import type { Reviewing, SavedAnalysis } from "./saved";
import type { Shared } from "./share";
import * as tree from "./tree";

/** A tree of moves on a board: the node shown, and the positions seen so far. What keeps the tree says how it changes. */
export abstract class Opened {
  readonly id: string;
  readonly saved: Signal<SavedAnalysis>;
  /** The position shown; without legal moves, or the one before it within a turn, until they are known. */
  readonly position = signal<Position>(stillPosition(""));
  /** The FEN of the position whose legal moves are not known yet, if any. */
  readonly awaited = signal<string | null>("");
  readonly refused = signal<Refusal | null>(null);
  /** Whether what was changed could not be kept, such as by a browser in a private window. */
  readonly unsaved = signal(false);
  readonly at = computed(() => this.here.at);
  readonly tree = computed(() => this.here.tree);
  protected readonly positions = new Map<number, Position>();
  private readonly showing: () => void;
  private pending: AbortController | null = null;

  constructor(saved: SavedAnalysis) {
    this.id = saved.id;
    this.saved = signal(saved);
    this.showing = effect(() => this.show(this.at.value));
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
    this.showing();
    this.pending?.abort();
  }

  /** Changes what is shown or kept here. */
  abstract change(change: Partial<SavedAnalysis>): void;
  /** Adds moves after a node; returns the tree and the last node. */
  protected abstract add(from: number, made: NodeMade[]): Promise<[tree.Tree, number]>;
  /** Keeps what a review has found so far, which is no change of the tree. */
  abstract keepReview(job: Reviewing): void;
  /** Takes what was written in a field that showed `shown`, which may be older than the comment by now. */
  abstract comment(text: string, shown: string): void;
  abstract mark(nag: number): void;
  abstract prune(at?: number): void;
  abstract promote(at?: number): void;

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
      const [grown, last] = await this.add(there, nodes);
      this.positions.set(last, { ...position, ply: tree.pathTo(grown, last).length });
      this.change({ tree: grown, at: last });
    } catch (error) {
      this.refused.value = thrownRefusal(error);
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

  turnBoard(): void {
    this.change({ orientation: this.here.orientation === "white" ? "black" : "white" });
  }

  /** Shows the pieces at once, and the legal moves once they are known. */
  protected show(at: number): void {
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
    if (turnStart(node.fen) === node.fen) this.position.value = { ...stillPosition(node.fen), ply };
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
        if (!pending.signal.aborted) this.refused.value = thrownRefusal(error);
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
