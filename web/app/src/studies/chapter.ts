import { type Signal, signal } from "@preact/signals";
import { Opened } from "../analysis/opened";
import type { Reviewing, SavedAnalysis } from "../analysis/saved";
import * as tree from "../analysis/tree";
import { load, save } from "../client/storage";
import type { NodeMade, Problem, StudyArrow, StudyChange, StudyChapter, StudyCommand } from "../wire";
import { changed, treeOf } from "./changes";
import { merged } from "./merging";

/** How long after the last letter a comment is sent. */
const PAUSE_MS = 400;
/** How long after such a refusal. */
const AGAIN_MS = 1500;
/** Refusals after which an edit is sent again. */
const AGAIN = new Set(["too_fast", "busy"]);
/** Numbers of moves that only this page knows, beyond those of the server. */
const OWN = 2 ** 40;

// biome-ignore lint/suspicious/noExplicitAny: `Omit` would make one type of the union.
type Without<T, K extends string> = T extends any ? Omit<T, K> : never;
export type Command = Without<StudyCommand, "id">;

/** Sends a command; resolves with what was wrong, `null` if nothing was, `"lost"` without a connection. */
export type Send = (command: Command) => Promise<Problem | null | "lost">;

/** A comment that is being written: the server's text that it was made from, and what was sent and not acknowledged. */
interface Draft {
  base: string;
  text: string;
  sent: string | null;
}

/** A chapter of a study on the board. Writers change it for everybody; what others play there only they see. */
export class Chapter extends Opened {
  /** Why the last edit was refused. */
  readonly problem: Signal<Problem | null> = signal(null);
  /** Whether comments wait to be sent. */
  readonly writing = signal(false);
  private readonly drafts = new Map<number, Draft>();
  /** Where the browser keeps them, for a page that is closed without a connection. */
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param owner what distinguishes its comments in the browser's storage: the writer and the study. */
  constructor(
    owner: string,
    readonly chapter: StudyChapter,
    private readonly send: Send,
    private readonly writes: () => boolean,
    private readonly seen: () => number,
  ) {
    super(opened(chapter, tree.START));
    this.key = `comments.${owner}.${chapter.info.id}`;
    addEventListener("pagehide", this.flush);
    if (writes()) this.restore();
  }

  /** Takes up what was written before the page was closed. */
  private restore(): void {
    const found = load(this.key) as [number, Pick<Draft, "base" | "text">][] | null;
    let all = this.here.tree;
    for (const [node, { base, text }] of found ?? []) {
      const told = all[node];
      if (!told) continue;
      this.drafts.set(node, { base, text, sent: null });
      all = tree.commented(all, node, this.commented(node, told.comment));
    }
    this.change({ tree: all });
    this.resume();
  }

  /** Sends what was not acknowledged on the connection before. */
  resume(): void {
    for (const draft of this.drafts.values()) draft.sent = null;
    if (this.drafts.size > 0) this.schedule();
  }

  private keep(): void {
    this.writing.value = this.drafts.size > 0;
    save(this.key, this.drafts.size > 0 ? [...this.drafts] : null);
  }

  get number(): number {
    return this.chapter.info.id;
  }

  override close(): void {
    this.flush();
    removeEventListener("pagehide", this.flush);
    super.close();
  }

  change(change: Partial<SavedAnalysis>): void {
    if (change.at !== undefined) this.flush();
    this.saved.value = { ...this.here, ...change };
  }

  keepReview(job: Reviewing): void {
    this.change({ job });
  }

  /** Takes over a change of the study; returns whether the chapter has to be read again. */
  receive(change: Exclude<StudyChange, { type: "chapter_added" | "titled" | "forgotten" }>): boolean {
    let told = change;
    if (told.type === "commented") told = { ...told, text: this.commented(told.node, told.text) };
    const next = changed(this.here.tree, told);
    if (!next) return true;
    for (const node of this.positions.keys()) if (!next[node]) this.positions.delete(node);
    const { at } = this.here;
    const here = next[at] ? at : (tree.pathTo(this.here.tree, at).findLast((node) => next[node]) ?? tree.START);
    this.change({ tree: next, at: here });
    return false;
  }

  /** Replaces the whole chapter by the server's; what is being written stays. */
  reread(chapter: StudyChapter): void {
    const before = this.here;
    const next = Object.entries(treeOf(chapter)).map(([id, node]) => {
      const text = this.commented(Number(id), node.comment);
      return [id, { ...node, comment: text }];
    });
    const path = tree.movesTo(before.tree, before.at);
    const all: tree.Tree = Object.fromEntries(next);
    this.positions.clear();
    this.saved.value = { ...opened(chapter, before.at), tree: all, at: tree.followed(all, tree.START, path)[0] };
    this.show(this.here.at);
    this.resume();
  }

  /** Returns the text to show when the server has a new one. */
  private commented(node: number, text: string): string {
    const draft = this.drafts.get(node);
    if (!draft) return text;
    // What was sent is part of the text by now, or still to come.
    if (draft.sent !== text) {
      draft.text = merged(draft.base, draft.text, text);
      if (draft.sent !== null) draft.sent = merged(draft.base, draft.sent, text);
    }
    draft.base = text;
    if (draft.text === text && draft.sent === null) this.drafts.delete(node);
    this.keep();
    return draft.text;
  }

  protected async add(from: number, made: NodeMade[]): Promise<[tree.Tree, number]> {
    if (!this.writes() || from >= OWN) {
      const first = Math.max(OWN, ...Object.keys(this.here.tree).map(Number)) + 1;
      return tree.added(this.here.tree, from, made, first);
    }
    const moves = made.map(({ move }) => move);
    const path = tree.movesTo(this.here.tree, from);
    await this.edit({ type: "add", chapter: this.number, parent: from, moves });
    const [last] = tree.followed(this.here.tree, tree.START, [...path, ...moves]);
    return [this.here.tree, last];
  }

  comment(written: string, shown: string): void {
    const { at } = this.here;
    const { comment } = tree.nodeOf(this.here.tree, at);
    if (!this.writes()) return;
    const text = merged(shown, written, comment);
    const draft = this.drafts.get(at) ?? { base: comment, text, sent: null };
    draft.text = text;
    this.drafts.set(at, draft);
    this.keep();
    this.saved.value = { ...this.here, tree: tree.commented(this.here.tree, at, text) };
    this.schedule();
  }

  private schedule(after = PAUSE_MS): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.flush, after);
  }

  private readonly flush = (): void => {
    for (const [node, draft] of this.drafts) if (draft.sent === null) void this.deliver(node, draft);
  };

  private async deliver(node: number, draft: Draft): Promise<void> {
    const { base, text } = draft;
    draft.sent = text;
    const problem = await this.send({ type: "comment", chapter: this.number, node, before: base, text });
    draft.sent = null;
    if (problem === "lost") return;
    if (problem && AGAIN.has(problem.code)) {
      this.schedule(AGAIN_MS);
      return;
    }
    this.problem.value = problem;
    if (draft.text !== draft.base && !problem) this.schedule();
    else if (!problem) this.drafts.delete(node);
    this.keep();
  }

  mark(nag: number): void {
    const { nags } = tree.nodeOf(this.here.tree, this.here.at);
    void this.edit({ type: "glyph", chapter: this.number, node: this.here.at, nag, on: !nags.includes(nag) });
  }

  /** Draws an arrow, or takes away the one between the same squares. */
  draw(arrow: StudyArrow): void {
    const { arrows = [] } = tree.nodeOf(this.here.tree, this.here.at);
    const on = !arrows.some(({ from, to }) => from === arrow.from && to === arrow.to);
    void this.edit({ type: "draw", chapter: this.number, node: this.here.at, arrow, on });
  }

  prune(at = this.here.at): void {
    if (at >= OWN || !this.writes()) {
      const [left, before] = tree.pruned(this.here.tree, at);
      if (at >= OWN) this.change({ tree: left, at: before });
      return;
    }
    void this.edit({ type: "prune", chapter: this.number, node: at, seen: this.seen() });
  }

  promote(at = this.here.at): void {
    void this.edit({ type: "promote", chapter: this.number, node: at });
  }

  private async edit(command: Command): Promise<void> {
    if (!this.writes() || ("node" in command && command.node >= OWN)) return;
    const problem = await this.send(command);
    this.problem.value = problem === "lost" ? { code: "offline", message: "", where: null } : problem;
  }
}

function opened(chapter: StudyChapter, at: number): SavedAnalysis {
  const { info } = chapter;
  const all = treeOf(chapter);
  return {
    id: `chapter-${info.id}`,
    game: info.game,
    options: info.options,
    name: info.name,
    setup: info.setup,
    tags: info.tags,
    tree: all,
    at: all[at] ? at : tree.START,
    orientation: info.orientation,
    job: null,
    faults: [],
    changed: 0,
  };
}
