// A draft that is open. Its text is the only truth: forms read it and write it, and a worker compiles it.

import { computed, signal } from "@preact/signals";
import { MAX_DEFINITION } from "../../../core/src/limits.ts";
import type { Described, Plain, Studied } from "../../../core/src/questions.ts";
import type { Remote } from "../../../core/src/remote.ts";
import { loadedCore, theCore } from "../core";
import { language, t } from "../i18n";
import { fenOf } from "../learn/placement";
import type { PieceOn, Reach } from "../wire";
import { changed, draftStore, readDraft, type StoredDraft, sizeOf, titleOf } from "./drafts";
import { Document, failed, type Path, type Toml, TomlError, within } from "./toml";
import * as edit from "./toml-edit";

/** How long after the last key the text is compiled and saved. */
const CHECK_MS = 250;
const SAVE_MS = 400;
/** Typing into a field without a pause of this length is one step to undo. */
const STEP_MS = 1500;
const MOST_STEPS = 500;
/** How long the core may take to compile a definition, in seconds. */
const SECONDS = 4;

/** A game with a piece X, for diagrams of how it moves. It starts on the middle square, for first moves. */
const diagramOf = (side: number): string => `[game]
id = "diagram"
board = "${side}x${side}"
start = "${startOfDiagram(side)} b - - 0 1"
[pieces.K]
move = "K"
royal = true
[pieces.P]
move = "W"
[pieces.X]
move = "W"
`;

function startOfDiagram(side: number): string {
  const half = (side - 1) / 2;
  const [row, none] = [(piece: string) => `${half}${piece}${half}`, Array(half - 1).fill(side)];
  return [row("k"), ...none, row("X"), ...none, row("K")].join("/");
}

/** The definition and its French translation. */
export interface Texts {
  text: string;
  french: string;
}

/** A fault, the text that it is in, and the line; 0 if it is on none. */
export interface Problem {
  which: keyof Texts;
  line: number;
  message: string;
}

/** Why the text could not be checked. */
export type Trouble = "none" | "slow" | "core";

export class OpenDraft {
  readonly text;
  /** The French translation, a text of its own; empty if there is none. */
  readonly french;
  readonly stored;
  /** What each text says, or why it cannot be read. */
  readonly read;
  /** The text's parts; `null` where it is not TOML, and until the core is loaded. */
  readonly document;
  readonly title;
  /** What the core found, and the text that it read. */
  readonly studied = signal<(Texts & { found: Studied }) | null>(null);
  /** The last text without faults, as a game. */
  readonly game = signal<{ text: string; game: Described } | null>(null);
  readonly trouble;
  /** Whether the core is still loading. */
  readonly waiting;
  /** Whether the last change is in this browser's storage. */
  readonly saved = signal<"yes" | "not yet" | "never">("yes");
  /** The fault whose line the text shows. */
  readonly wanted = signal<Problem | null>(null);
  readonly problems;
  /** Whether the text compiles as it is now. */
  readonly sound;
  readonly undoable = signal(false);
  readonly redoable = signal(false);

  #past: Texts[] = [];
  #future: Texts[] = [];
  #typed: { field: string | null; at: number } = { field: null, at: 0 };
  readonly #checked = signal<Trouble>("none");
  #changedBefore = false;
  #checking: ReturnType<typeof setTimeout> | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  #remote: Remote | null = null;
  #diagrams: Remote | null = null;
  #number = 0;
  readonly #ends: (() => void)[] = [];

  constructor(stored: StoredDraft) {
    this.stored = signal(stored);
    this.text = signal(stored.text);
    this.french = signal(stored.french ?? "");
    this.read = { text: computed(() => read(this.text.value)), french: computed(() => read(this.french.value)) };
    this.document = computed(() => (this.read.text.value instanceof Document ? this.read.text.value : null));
    this.title = computed(() => titleOf(this.text.value, this.document.value));
    this.trouble = computed(() => (failed.value ? "core" : this.#checked.value));
    this.waiting = computed(() => loadedCore() === null && this.trouble.value !== "core");
    this.problems = computed(() => this.#problems());
    this.sound = computed(() => this.game.value !== null && this.game.value.text === this.text.value);
    const flush = () => void this.save();
    addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
    const ask = (event: BeforeUnloadEvent) => this.saved.value !== "yes" && event.preventDefault();
    addEventListener("beforeunload", ask);
    const online = () => this.#checked.value === "core" && this.again();
    addEventListener("online", online);
    this.#ends.push(
      () => removeEventListener("pagehide", flush),
      () => document.removeEventListener("visibilitychange", flush),
      () => removeEventListener("beforeunload", ask),
      () => removeEventListener("online", online),
      draftStore.onChange(stored.id, () => void this.#follow()),
    );
    void this.#study();
  }

  close(): void {
    void this.save();
    clearTimeout(this.#checking);
    this.#number++;
    this.#remote?.close();
    this.#diagrams?.close();
    for (const end of this.#ends) end();
  }

  /** Changes the text. Letters typed one after the other into a field, which has a name, are one step to undo. */
  write(text: string, field: string | null = null): void {
    this.#change({ text, french: this.french.value }, field);
  }

  writeFrench(french: string, field: string | null = null): void {
    this.#change({ text: this.text.value, french }, field);
  }

  /** Shows other texts, such as an earlier version. */
  replace(texts: Texts): void {
    this.#change(texts, null);
  }

  undo(): void {
    this.#step(this.#past, this.#future);
  }

  redo(): void {
    this.#step(this.#future, this.#past);
  }

  #texts(): Texts {
    return { text: this.text.value, french: this.french.value };
  }

  #change(next: Texts, field: string | null): void {
    const before = this.#texts();
    if (next.text === before.text && next.french === before.french) return;
    const now = Date.now();
    const goesOn = field !== null && field === this.#typed.field && now - this.#typed.at < STEP_MS;
    if (!goesOn) this.#past = [...this.#past.slice(-MOST_STEPS), before];
    this.#typed = { field, at: now };
    this.#future = [];
    this.#show(next);
  }

  #step(from: Texts[], to: Texts[]): void {
    const next = from.pop();
    if (!next) return;
    to.push(this.#texts());
    this.#typed = { field: null, at: 0 };
    this.#show(next);
  }

  #show({ text, french }: Texts): void {
    this.text.value = text;
    this.french.value = french;
    this.undoable.value = this.#past.length > 0;
    this.redoable.value = this.#future.length > 0;
    this.saved.value = "not yet";
    clearTimeout(this.#checking);
    clearTimeout(this.#saving);
    this.#checking = setTimeout(() => void this.#study(), CHECK_MS);
    this.#saving = setTimeout(() => void this.save(), SAVE_MS);
  }

  /** Returns what the text says at a path, or else what the game says that it extends. */
  at(path: Path): Toml | undefined {
    return this.document.value?.at(path) ?? this.inherited(path);
  }

  /** Returns what the game says that the text extends. */
  inherited(path: Path): Toml | undefined {
    if (this.document.value?.at(["game", "extends"]) === undefined) return undefined;
    return within((this.studied.value?.found.inherited as Plain | null) ?? undefined, path);
  }

  textAt(path: Path): string {
    const found = this.at(path);
    return typeof found === "string" ? found : "";
  }

  put(path: Path, value: Toml, field: string | null = null): void {
    if (this.document.value) this.write(edit.put(this.text.value, path, value), field);
  }

  /** Empties a text: the key is left out, or where another game's text would appear then, it is empty. */
  clear(path: Path): void {
    if (this.inherited(path) === undefined) this.drop(path);
    else this.put(path, "", path.join("."));
  }

  drop(path: Path): void {
    if (this.document.value) this.write(edit.drop(this.text.value, path));
  }

  /** Returns where a piece of the start could go; with `alone`, as if no other piece were there. */
  async reach(square: string, alone: PieceOn | null): Promise<Reach[]> {
    const compiled = this.game.value;
    if (!compiled || !this.#remote) return [];
    const { files, ranks, startFen } = compiled.game;
    const board = alone ? { fen: fenOf([alone], files, ranks, startFen) } : {};
    return this.#remote.reach({ text: compiled.text }, square, board).catch(() => []);
  }

  /** Returns where a piece that moves so could go in a diagram; `null` if no piece moves so. */
  async diagram(move: string, fen: string, square: string, side: number): Promise<Reach[] | null> {
    if (!move) return [];
    const core = await theCore();
    if (!core) return [];
    this.#diagrams ??= new core.Remote({ seconds: SECONDS });
    const text = edit.put(diagramOf(side), ["pieces", "X", "move"], move.slice(0, 1000));
    return this.#diagrams.reach({ text }, square, { fen }).catch(() => null);
  }

  async save(): Promise<void> {
    clearTimeout(this.#saving);
    const texts = this.#texts();
    if (this.saved.value === "yes" || same(texts, this.stored.value)) {
      this.saved.value = "yes";
      return;
    }
    const next = changed(this.stored.value, texts, !this.#changedBefore);
    try {
      await draftStore.save(next);
      this.#changedBefore = true;
      this.stored.value = next;
      if (same(texts, this.#texts())) this.saved.value = "yes";
    } catch {
      this.saved.value = "never";
    }
  }

  /** Another tab has changed the draft: its text is shown, and what was here is a step to undo and a version. */
  async #follow(): Promise<void> {
    const there = await readDraft(this.stored.value.id).catch(() => null);
    const here = this.#texts();
    if (!there || same(here, there)) return;
    const unsaved = !same(here, this.stored.value);
    this.stored.value = unsaved ? changed({ ...there, ...here }, there, true) : there;
    this.replace({ text: there.text, french: there.french ?? "" });
  }

  /** Asks for the core again, which did not load; one that has failed needs a new page. */
  again(): void {
    this.#checked.value = "none";
    if (failed.value) void this.save().then(() => location.reload());
    else void this.#study();
  }

  /** The question to the core that has not been answered. */
  #asked: Promise<void> = Promise.resolve();

  /** Has the core read the text once it has read the one before: one that takes too long must not end the next. */
  #study(): Promise<void> {
    const number = ++this.#number;
    this.#asked = this.#asked.then(() => this.#read(number));
    return this.#asked;
  }

  async #read(number: number): Promise<void> {
    const core = number === this.#number ? await theCore() : null;
    if (number !== this.#number) return;
    const { text, french } = this.#texts();
    if (!core || sizeOf(text) > MAX_DEFINITION || sizeOf(french) > MAX_DEFINITION) {
      this.#checked.value = core ? "none" : "core";
      return;
    }
    this.#remote ??= new core.Remote({ seconds: SECONDS });
    try {
      const translations: Record<string, string> = french ? { fr: french } : {};
      const found = await this.#remote.study({ text, translations }, { language: language.value });
      // Faults of a translation are found by loading the game in its language.
      const translated =
        french && language.value !== "fr"
          ? await this.#remote.study({ text, translations }, { language: "fr" })
          : found;
      if (number !== this.#number) return;
      this.#checked.value = "none";
      this.studied.value = { text, french, found: { ...found, faults: translated.faults } };
      if (found.game) this.game.value = { text, game: found.game };
    } catch {
      if (number === this.#number) this.#checked.value = "slow";
    }
  }

  #problems(): Problem[] {
    const current = this.studied.value !== null && same(this.studied.value, this.#texts());
    for (const which of current ? [] : (["text", "french"] as const)) {
      const found = this.read[which].value;
      if (found instanceof TomlError && found.faults.length > 0)
        return found.faults.map(({ line, key, message }) => ({ which, line, message: said(key, message) }));
    }
    return (this.studied.value?.found.faults ?? []).slice(0, 100).map(({ file, line, key, message }) => {
      const which = file === "game.toml" ? "text" : file === "game.fr.toml" ? "french" : null;
      return { which: which ?? "text", line: which ? line : 0, message: said(which ? "" : file, key, message) };
    });
  }
}

function same(one: Texts, other: { text: string; french?: string }): boolean {
  return one.text === other.text && one.french === (other.french ?? "");
}

function read(text: string): Document | TomlError {
  const size = sizeOf(text);
  if (size > MAX_DEFINITION) {
    const message = t("studio.text.large", { size, most: MAX_DEFINITION });
    return new TomlError([{ line: 0, key: "", message }]);
  }
  if (failed.value) return new TomlError([]);
  try {
    return new Document(text);
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function said(...parts: string[]): string {
  return parts.filter(Boolean).join(": ");
}
