// A definition in the fragment of a link, and read back. A link may come from anyone.

import { MAX_DEFINITION } from "../../../core/src/limits.ts";
import { fits } from "./drafts";

/** What a link has: a definition and, perhaps, its French translation. */
export interface Shared {
  text: string;
  french?: string;
}

const MARK = "g1.";
/** Longer fragments are not read; a definition of the largest size is much shorter, unless it is noise. */
const MOST_LETTERS = 100_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (!value) continue;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(new Uint8Array(value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Between the definition and its translation: no TOML has this sign. */
const BETWEEN = "\0";

/** Returns the fragment of a link; `null` if the texts are too large. */
export async function toFragment({ text, french = "" }: Shared): Promise<string | null> {
  if (!fits(text) || !fits(french)) return null;
  const bytes = new TextEncoder().encode(french ? text + BETWEEN + french : text);
  const packed = await through(bytes, new CompressionStream("deflate-raw"), 3 * MAX_DEFINITION);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const written = MARK + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return written.length <= MOST_LETTERS ? written : null;
}

/** Reads a fragment; returns `null` if it is not a text that can be opened. Whether it is a game is for the core to say. */
export async function fromFragment(fragment: string): Promise<Required<Shared> | null> {
  if (!fragment.startsWith(MARK) || fragment.length > MOST_LETTERS) return null;
  try {
    const binary = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const whole = await through(bytes, new DecompressionStream("deflate-raw"), 2 * MAX_DEFINITION + 1);
    const read = new TextDecoder("utf-8", { fatal: true }).decode(whole);
    const [text = "", french = "", ...more] = read.split(BETWEEN, 3);
    return fits(text) && fits(french) && more.length === 0 ? { text, french } : null;
  } catch {
    return null;
  }
}
