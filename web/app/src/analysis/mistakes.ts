import { computed, signal } from "@preact/signals";
import { settings } from "../client";
import type { Evaluation, Side } from "../wire";
import type { Analyst, Found } from "./analyst";
import { verdict } from "./judge";
import { appointed } from "./look";
import type { Opened } from "./opened";
import type { Review } from "./review";
import { movesTo, nodeOf } from "./tree";

/** How deep the engine looks at a move that is tried, and how long at most. */
const DEPTH = 10;
const MOST_MS = 4000;

export type Phase = "find" | "judging" | "wrong" | "right" | "shown";

/** The moves of a side with which much was lost: one at a time, somebody looks for a better one. */
export class Mistakes {
  readonly place = signal(0);
  readonly phase = signal<Phase>("find");
  /** Whether the engine's lines would give the answer away. */
  readonly secret = computed(() => ["find", "judging", "wrong"].includes(this.phase.value));
  readonly node = computed(() => this.nodes[this.place.value] ?? 0);

  constructor(
    private readonly study: Opened,
    private readonly review: Review,
    readonly side: Side,
    /** The mistakes, in their order. */
    readonly nodes: readonly number[],
  ) {
    this.go(0);
  }

  /** Shows the position before a mistake. */
  go(place: number): void {
    this.place.value = place;
    this.phase.value = "find";
    this.study.goTo(this.before);
  }

  private get before(): number {
    return nodeOf(this.study.tree.peek(), this.node.peek()).parent;
  }

  /** Whether a move on the board is an attempt. */
  get waits(): boolean {
    return (this.phase.peek() === "find" || this.phase.peek() === "wrong") && this.study.at.peek() === this.before;
  }

  async attempt(move: string): Promise<void> {
    const [node, { before }] = [this.node.peek(), this];
    const best = this.review.marks.peek().get(node)?.best[0];
    const scored = this.review.findingOf(before)?.score;
    this.phase.value = "judging";
    const good = move === best || (scored && (await this.holds(before, move, scored)));
    if (this.node.peek() !== node) return;
    this.phase.value = good ? "right" : "wrong";
    if (good) await this.study.play([move], before);
    // A new object of the same position takes the move back.
    else this.study.position.value = { ...this.study.position.value };
  }

  /** Whether a move loses little, as the engine says after a look at it. */
  private async holds(before: number, move: string, scored: Evaluation): Promise<boolean> {
    if (nodeOf(this.study.tree.peek(), this.node.peek()).move === move) return false;
    const moves = [...movesTo(this.study.tree.peek(), before), move];
    const after = await this.evaluated(moves);
    return after !== null && verdict(scored, after, this.side) === null;
  }

  private evaluated(moves: string[]): Promise<Evaluation | null> {
    return new Promise((done) => {
      let last: Evaluation | null = null;
      let analyst: Analyst | null = null;
      let ended = false;
      const end = () => {
        ended = true;
        clearTimeout(timer);
        analyst?.close();
        done(last);
      };
      const timer = setTimeout(end, MOST_MS);
      const found = (told: Found) => {
        last = told.lines[0]?.score ?? last;
        if (told.done || told.depth >= DEPTH) end();
      };
      appointed(this.study.choice, settings.value.analysis, { found, refused: end }).then((one) => {
        analyst = one;
        if (ended) one.close();
        else one.look({ fen: this.study.startFen, moves }, 1);
      }, end);
    });
  }

  show(): void {
    this.phase.value = "shown";
    const best = this.review.marks.peek().get(this.node.peek())?.best ?? [];
    void this.study.showLine([...best], this.before);
  }
}

/** Returns the nodes of a side's mistakes and blunders, in their order. */
export function mistakesOf(study: Opened, review: Review, side: Side): number[] {
  return review.line.value.filter((node) => {
    const mark = review.marks.value.get(node);
    return mark && mark.verdict !== "inaccuracy" && nodeOf(study.tree.value, node).side === side;
  });
}
