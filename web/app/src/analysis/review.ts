import { computed, effect, signal } from "@preact/signals";
import { Refusal } from "../client";
import * as ask from "../client/analysis";
import { gameOf } from "../core";
import { isLocal, newId } from "../local/id";
import { loadGame, networkOf } from "../local/load";
import { refusal, thrownRefusal } from "../refusal";
import type { Finding, Job } from "../wire";
import { reviewed } from "./device";
import { marks, notes } from "./judge";
import type { Mistakes } from "./mistakes";
import type { Opened } from "./opened";
import type { Reviewing } from "./saved";
import { mainline, movesOf, nodeOf } from "./tree";

const POLL_MS = 1000;

/**
 * The review of the whole game: its progress, its findings and the weak moves. It is a job of the server, which goes on
 * when the page is closed; without a network the engine in this browser reviews.
 */
export class Review {
  readonly job = signal<Job | null>(null);
  readonly found = signal<Finding[]>([]);
  readonly error = signal<Refusal | null>(null);
  readonly line = computed(() => this.study.here.job?.line ?? []);
  readonly marks = computed(() =>
    marks(this.line.value, this.found.value, (node) => nodeOf(this.study.tree.value, node)),
  );
  /** What somebody learns from at the moment, and whether they want to as soon as the review is done. */
  readonly mistakes = signal<Mistakes | null>(null);
  readonly wantsMistakes = signal(false);
  /** What the review adds to the PGN. */
  readonly notes = computed(() =>
    notes(this.line.value, this.found.value, this.marks.value, (node) => nodeOf(this.study.tree.value, node).side),
  );
  /** Whether the main line has changed since the review. */
  readonly stale = computed(() => {
    const line = this.line.value;
    return line.length > 0 && String(mainline(this.study.tree.value)) !== String(line);
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly end: () => void;
  private id: string | null = null;

  constructor(private readonly study: Opened) {
    this.end = effect(() => {
      const id = this.study.here.job?.job ?? null;
      if (id === this.id) return;
      this.id = id;
      clearTimeout(this.timer);
      this.found.value = [];
      this.job.value = null;
      if (id) void (isLocal(id) ? this.go(id) : this.follow(id));
    });
  }

  close(): void {
    this.end();
    clearTimeout(this.timer);
    this.id = null;
  }

  /** The finding about the position after a move. */
  findingOf(node: number): Finding | null {
    const place = this.line.value.indexOf(node);
    return place < 0 ? null : (this.found.value[place] ?? null);
  }

  async begin(): Promise<void> {
    this.error.value = null;
    const tree = this.study.tree.value;
    const line = mainline(tree);
    const moves = movesOf(tree, line);
    try {
      const { job } = await ask.begin({ ...this.study.choice, fen: this.study.startFen, moves });
      this.study.change({ job: { job, line } });
    } catch (error) {
      const offline = error instanceof Refusal && error.code === "offline";
      if (offline && (await gameOf(this.study.choice))) this.study.change({ job: { job: newId(), line, found: [] } });
      else this.error.value = thrownRefusal(error);
    }
  }

  /** Reviews in this browser, from where it was left. */
  private async go(id: string): Promise<void> {
    const { line, found = [] } = this.study.here.job as Reviewing;
    const tell = () => {
      this.job.value = { job: id, done: this.found.value.length, total: line.length, found: [] };
    };
    this.found.value = found;
    tell();
    if (found.length === line.length) return;
    try {
      const place = { fen: this.study.startFen, moves: movesOf(this.study.tree.peek(), line) };
      const { core, game } = await loadGame(this.study.choice);
      const network = (await networkOf(core, game.id)) ?? "none";
      if (id !== this.id) return;
      for await (const finding of reviewed(core, game, network, place, found.length)) {
        if (id !== this.id) return;
        this.found.value = [...this.found.value, finding];
        tell();
        this.study.keepReview({ job: id, line, found: this.found.value });
      }
    } catch (error) {
      if (id !== this.id) return;
      this.error.value = error instanceof Refusal ? error : refusal("engine_failed");
    }
  }

  private async follow(id: string): Promise<void> {
    let done = false;
    try {
      const job = await ask.job(id, this.found.value.at(-1)?.ply ?? -1);
      if (id !== this.id) return;
      this.error.value = null;
      this.job.value = job;
      this.found.value = [...this.found.value, ...job.found];
      done = job.done >= job.total;
    } catch (error) {
      if (id !== this.id) return;
      this.error.value = thrownRefusal(error);
      // The server no longer has the job; the review can be started again.
      done = this.error.value.code === "no_such_job";
    }
    if (!done) this.timer = setTimeout(() => this.follow(id), POLL_MS);
  }
}
