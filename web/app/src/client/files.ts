import { refusal, refusalOf } from "../refusal";
import { whoAmI } from "./identity";
import { at } from "./paths";

/** Fetches a file or an answer whole. Throws a refusal if it cannot be had. */
export async function bytesOf(address: URL | string): Promise<Uint8Array> {
  const answer = await fetch(address).catch(() => {
    throw refusal("offline");
  });
  if (!answer.ok) throw refusal("broken");
  return new Uint8Array(await answer.arrayBuffer());
}

/** Downloads a file from the API, as the guest if `seated`. Throws a refusal if it fails. */
export async function fileOf(path: string, seated: boolean): Promise<Blob> {
  const headers: Record<string, string> = seated ? { Authorization: `Bearer ${(await whoAmI()).token}` } : {};
  const offline = () => {
    throw refusal("offline");
  };
  const response = await fetch(at(`/api${path}`), { headers }).catch(offline);
  if (!response.ok) throw await refusalOf(response);
  return response.blob().catch(offline);
}
