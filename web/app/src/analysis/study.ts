import * as ask from "../client/analysis";
import * as database from "../client/database";
import { refusal } from "../refusal";
import type { NodeMade, Tree as ServerTree, Side } from "../wire";
import { Opened } from "./opened";
import { type Reviewing, readSaved, type SavedAnalysis } from "./saved";
import type { Shared } from "./share";
import * as tree from "./tree";

/** How long after the last change an analysis is saved. */
const PAUSE_MS = 300;

/** An analysis that this browser keeps. */
export class Study extends Opened {
  private readonly ends: (() => void)[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(saved: SavedAnalysis) {
    super(saved);
    this.ends = [database.onChange(saved.id, () => this.reread())];
    addEventListener("pagehide", this.flush);
    document.addEventListener("visibilitychange", this.seen);
  }

  override close(): void {
    this.flush();
    this.closed = true;
    for (const end of this.ends) end();
    removeEventListener("pagehide", this.flush);
    document.removeEventListener("visibilitychange", this.seen);
    super.close();
  }

  protected async add(from: number, made: NodeMade[]): Promise<[tree.Tree, number]> {
    return tree.added(this.here.tree, from, made);
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
