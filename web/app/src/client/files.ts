import { refusal } from "./problem";

/** Fetches a file or an answer whole. Throws a refusal if it cannot be had. */
export async function bytesOf(address: URL | string): Promise<Uint8Array> {
  const answer = await fetch(address).catch(() => {
    throw refusal("offline");
  });
  if (!answer.ok) throw refusal("broken");
  return new Uint8Array(await answer.arrayBuffer());
}
