// A definition in the fragment of a link, and read back. A link may come from anyone.

import { fits, MOST_BYTES } from "./drafts";

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

/** Returns the fragment of a link; `null` if the text is too large. */
export async function toFragment(text: string): Promise<string | null> {
  if (!fits(text)) return null;
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), 2 * MOST_BYTES);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const written = MARK + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return written.length <= MOST_LETTERS ? written : null;
}

/** Reads a fragment; returns `null` if it is not a text that can be opened. Whether it is a game is for the core to say. */
export async function fromFragment(fragment: string): Promise<string | null> {
  if (!fragment.startsWith(MARK) || fragment.length > MOST_LETTERS) return null;
  try {
    const binary = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream("deflate-raw"), MOST_BYTES);
    const read = new TextDecoder("utf-8", { fatal: true }).decode(text);
    return fits(read) ? read : null;
  } catch {
    return null;
  }
}
