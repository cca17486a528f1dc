// Drafts of games, as this browser saves them. They are not sent anywhere.

import { MAX_DEFINITION } from "../../../core/src/limits.ts";
import { database, type Stored } from "../client/database";
import { Document } from "./toml";

/** What a draft was before. */
export interface Version {
  text: string;
  french?: string;
  changed: number;
}

export interface StoredDraft extends Stored {
  text: string;
  /** The French translation, if there is one. */
  french?: string;
  /** The latest versions, the newest first: one for each visit that changed the draft. */
  earlier: Version[];
  /** Whether it was thrown away; it can be brought back. */
  thrown: boolean;
}

/** Browsers take seconds to lay out a field with more lines than this. */
const MOST_LINES = 4000;
const MOST_VERSIONS = 20;
const MOST_DRAFTS = 1000;

export const draftStore = database("acedrex.studio", "drafts");

export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a text from elsewhere is small enough to be opened. */
export function fits(text: string): boolean {
  return sizeOf(text) <= MAX_DEFINITION && text.split("\n", MOST_LINES + 1).length <= MOST_LINES;
}

/** Saves a new draft; returns its id. */
export async function create({ text, french = "" }: { text: string; french?: string }): Promise<string> {
  const id = newId();
  const draft: StoredDraft = { id, text, french, earlier: [], thrown: false, changed: Date.now() };
  await draftStore.save(draft);
  return id;
}

export async function readDraft(id: string): Promise<StoredDraft | null> {
  return draftStore.read<StoredDraft>(id);
}

export async function all(): Promise<StoredDraft[]> {
  return draftStore.latest<StoredDraft>(MOST_DRAFTS);
}

/** Returns a draft with new texts; the first change of a visit keeps those before it. */
export function changed(
  draft: StoredDraft,
  { text, french = "" }: { text: string; french?: string },
  firstOfVisit: boolean,
): StoredDraft {
  const before = { text: draft.text, french: draft.french ?? "", changed: draft.changed };
  const earlier = firstOfVisit ? [before, ...draft.earlier].slice(0, MOST_VERSIONS) : draft.earlier;
  return { ...draft, text, french, earlier, changed: Date.now() };
}

/** The name of a game and its id; of a text that is not TOML, and until the core is loaded, what looks like them. */
export function titleOf(text: string, document = readable(text)): { name: string; id: string } {
  const looks = (key: string) =>
    new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]*)["']`, "m").exec(text.slice(0, 4000))?.[1];
  const said = (key: string) => {
    const found = document ? document.at(["game", key]) : looks(key);
    return typeof found === "string" ? found : "";
  };
  return { name: said("name"), id: said("id") };
}

function readable(text: string): Document | null {
  try {
    return new Document(text.slice(0, MAX_DEFINITION));
  } catch {
    return null;
  }
}
