import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { identity, Refusal, Socket, type Standing, socketAt } from "../client";
import { thrownRefusal } from "../refusal";
import type { FromStudy, Problem, StudyChange, StudyCommand, Study as Told, ToStudy } from "../wire";
import { Chapter, type Command } from "./chapter";

/** A study that is open: what the server says of it, and the chapter on the board. */
export class OpenStudy {
  readonly study = signal<Told | null>(null);
  readonly chapter = signal<Chapter | null>(null);
  /** Why it cannot be read. */
  readonly error = signal<Refusal | null>(null);
  readonly writes = computed(() => ["owner", "writer"].includes(this.study.value?.role ?? ""));
  private readonly socket: Socket<FromStudy, ToStudy>;
  private readonly waiting = new Map<string, (answer: Problem | null | "lost") => void>();
  private wanted: number | null;
  private next = 0;
  private number = 0;

  constructor(
    readonly id: string,
    chapter: number | null,
  ) {
    this.wanted = chapter;
    this.socket = new Socket<FromStudy, ToStudy>(socketAt(`/api/studies/${encodeURIComponent(id)}/socket`), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: () => ({ type: "ping", at: performance.now() }),
      receive: (message) => this.receive(message),
    });
  }

  get standing(): ReadonlySignal<Standing> {
    return this.socket.standing;
  }

  close(): void {
    this.chapter.value?.close();
    this.socket.close();
    this.lose();
  }

  /** Shows another chapter. */
  open(chapter: number): void {
    this.wanted = chapter;
    this.socket.send({ type: "open", chapter, id: "open" });
  }

  readonly send = (command: Command): Promise<Problem | null | "lost"> => {
    const id = String(this.next++);
    return new Promise((done) => {
      if (this.socket.send({ ...command, id } as StudyCommand)) this.waiting.set(id, done);
      else done("lost");
    });
  };

  private lose(): void {
    for (const done of this.waiting.values()) done("lost");
    this.waiting.clear();
  }

  private answer(id: string | null, problem: Problem | null): void {
    if (id === null) {
      if (problem) this.error.value = new Refusal(problem, 0);
      return;
    }
    this.waiting.get(id)?.(problem);
    this.waiting.delete(id);
  }

  private receive(message: FromStudy): void {
    switch (message.type) {
      case "study":
        this.begin(message);
        break;
      case "chapter":
        if (message.chapter.info.id === this.wanted) this.show(message);
        break;
      case "change":
        this.number = message.number;
        this.change(message.change);
        break;
      case "ack":
        this.answer(message.id, null);
        break;
      case "refused":
        if (message.id === "open") break;
        this.answer(message.id, message.error);
        break;
    }
  }

  /** What was on its way when the connection was lost is sent again by the chapter. */
  private begin(told: Told): void {
    const first = this.study.value === null || told.number !== this.number;
    const role = this.study.value?.role;
    this.study.value = told;
    this.number = told.number;
    this.error.value = null;
    this.lose();
    const wanted = told.chapters.find(({ id }) => id === this.wanted) ?? told.chapters[0];
    this.wanted = wanted?.id ?? null;
    if (wanted && (first || role !== told.role || this.chapter.value === null)) this.open(wanted.id);
    else this.chapter.value?.resume();
  }

  private show({ chapter }: Extract<FromStudy, { type: "chapter" }>): void {
    const before = this.chapter.value;
    if (before?.number === chapter.info.id && before.chapter.hidden === chapter.hidden) {
      before.reread(chapter);
      return;
    }
    before?.close();
    this.chapter.value = new Chapter(
      `${identity.value?.name ?? ""}.${this.id}`,
      chapter,
      this.send,
      () => this.writes.value,
      () => this.number,
    );
  }

  /** Shows a chapter whose moves were found, to look through them. */
  reveal(chapter: Extract<FromStudy, { type: "chapter" }>["chapter"]): void {
    this.show({ type: "chapter", chapter, number: this.number });
  }

  private change(change: StudyChange): void {
    const told = this.study.value;
    if (!told) return;
    switch (change.type) {
      case "titled":
        this.study.value = { ...told, title: change.title, access: change.access };
        return;
      case "chapter_added":
        this.study.value = { ...told, chapters: [...told.chapters, change.chapter.info] };
        if (this.wanted === null) this.open(change.chapter.info.id);
        return;
      case "chapter_changed": {
        const found = told.chapters.find(({ id }) => id === change.chapter);
        if (!found) return;
        const { title, mode, orientation, place } = change;
        const chapters = told.chapters.filter(({ id }) => id !== change.chapter);
        chapters.splice(place, 0, { ...found, title, mode, orientation });
        this.study.value = { ...told, chapters };
        return;
      }
      case "chapter_removed": {
        const chapters = told.chapters.filter(({ id }) => id !== change.chapter);
        this.study.value = { ...told, chapters };
        if (this.wanted !== change.chapter) return;
        this.chapter.value?.close();
        this.chapter.value = null;
        this.wanted = null;
        if (chapters[0]) this.open(chapters[0].id);
        return;
      }
      case "forgotten":
        if (this.wanted !== null) this.open(this.wanted);
        return;
      default:
        if (change.chapter === this.chapter.value?.number && this.chapter.value.receive(change))
          this.open(change.chapter);
    }
  }

  /** The number of the last operation that this page has seen. */
  get seen(): number {
    return this.number;
  }

  /** Whether there is no such study, or it is private. */
  get gone(): boolean {
    return this.error.value?.code === "no_such_study";
  }

  fail(error: unknown): void {
    this.error.value = thrownRefusal(error);
  }
}
