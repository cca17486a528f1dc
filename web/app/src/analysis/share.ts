// A whole analysis, packed into the fragment of a URL and read back. A fragment may come from anyone.

import { MAX_TREE_MOVES } from "../../../core/src/limits.ts";
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
  /** The index of the node shown, -1 for the start. */
  at: number;
  orientation: Side;
  /** The job that reviewed the game, and the indices of the nodes that it reviewed. */
  job: { job: string; places: number[] } | null;
}

const VERSION = 1;
const MOST_UNPACKED_BYTES = 2_000_000;

/** A bare move follows the node before it in the list. */
type Packed = string | [move: string, parent: number, comment: string, ...nags: number[]];

function packed(nodes: readonly Node[]): Packed[] {
  return nodes.map(({ parent, move, comment, nags }, index) =>
    parent === index - 1 && !comment && nags.length === 0 ? move : [move, parent, comment, ...nags],
  );
}

function unpacked(nodes: readonly Packed[]): Node[] {
  return nodes.map((node, index) => {
    if (typeof node === "string") return { parent: index - 1, move: node, comment: "", nags: [] };
    const [move, parent, comment, ...nags] = node;
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
    if (size > MOST_UNPACKED_BYTES) {
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

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: object) => Object.values(value).every(isText);

/** Whether what was read has the types of an analysis; what its texts mean is for the rules to say. */
function isSound({ game, options, fen, comment, tags, nodes, at, orientation, job }: Shared): boolean {
  const isPlace = (place: number) => Number.isInteger(place) && place < nodes.length;
  return (
    [game, fen, comment].every(isText) &&
    areTexts(options) &&
    areTexts(tags) &&
    nodes.length <= MAX_TREE_MOVES &&
    nodes.every((node, index) => {
      const { parent, move, comment, nags } = node;
      return isText(move) && isText(comment) && isPlace(parent) && parent < index && nags.every(Number.isInteger);
    }) &&
    isPlace(at) &&
    ["white", "black"].includes(orientation) &&
    (job === null || (isText(job.job) && job.places.every(isPlace)))
  );
}

/** Reads a fragment; returns `null` if it is not an analysis. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    const { v, nodes, ...rest } = JSON.parse(text) as Omit<Shared, "nodes"> & { v: number; nodes: Packed[] };
    const shared = { ...rest, nodes: unpacked(nodes) };
    return v === VERSION && isSound(shared) ? shared : null;
  } catch {
    return null;
  }
}
