// A whole analysis in the fragment of an address: packed, and read back with suspicion.

import type { Side, TreeNode } from "../wire";

type Node = Required<TreeNode>;

/** What is shared. */
export interface Shared {
  game: string;
  options: Record<string, string>;
  fen: string;
  comment: string;
  tags: Record<string, string>;
  nodes: Node[];
  /** The place of the move that is shown, -1 for the start. */
  at: number;
  orientation: Side;
  /** The job that looked through the game, and the places of the moves that it looked at. */
  job: { job: string; places: number[] } | null;
}

const VERSION = 1;
/** Most bytes that are unpacked. */
const MOST = 2_000_000;

/** A move whose predecessor stands right before it is its text alone. */
type Packed = string | [move: string, parent: number, comment: string, ...nags: number[]];

function packed(nodes: readonly Node[]): Packed[] {
  return nodes.map(({ parent, move, comment, nags }, index) =>
    parent === index - 1 && !comment && nags.length === 0 ? move : [move, parent, comment, ...nags],
  );
}

function unpacked(nodes: readonly Packed[]): Node[] {
  return nodes.map((one, index) => {
    if (typeof one === "string") return { parent: index - 1, move: one, comment: "", nags: [] };
    const [move, parent, comment, ...nags] = one;
    return { move, parent, comment, nags };
  });
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (!value) continue;
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function toFragment(shared: Shared): Promise<string> {
  const { nodes, ...rest } = shared;
  const text = JSON.stringify({ v: VERSION, ...rest, nodes: packed(nodes) });
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Reads a fragment; gives null if it is none of ours, or spoilt. What it says the server checks. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    const { v, nodes, ...rest } = JSON.parse(text) as Omit<Shared, "nodes"> & { v: number; nodes: Packed[] };
    if (v !== VERSION || typeof rest.game !== "string" || typeof rest.fen !== "string") return null;
    return { ...rest, nodes: unpacked(nodes) };
  } catch {
    return null;
  }
}
