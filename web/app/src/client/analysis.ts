// The server's API for the analysis board.

import type {
  Attacks,
  Edited,
  EditRequest,
  FenRequest,
  Job,
  JobRequest,
  PictureRequest,
  RecordRequest,
  Tree,
  TreeRequest,
} from "../wire";
import { ask } from "./api";
import { at } from "./paths";
import { orHere, refusal, refusalOf } from "./problem";

const post = <T>(what: string, body: unknown, signal?: AbortSignal) =>
  ask<T>(`/analysis/${what}`, { method: "POST", body, signal });

export const tree = (request: TreeRequest) =>
  orHere(post<Tree>("tree", request), async () => (await import("../local/tree")).treeOf(request));
export const record = (pgn: string) => post<Tree>("record", { pgn } satisfies RecordRequest);
export const attacks = (request: FenRequest, signal?: AbortSignal) => post<Attacks>("attacks", request, signal);
export const edit = (request: EditRequest, signal?: AbortSignal) => post<Edited>("edit", request, signal);
export const begin = (request: JobRequest) => post<Job>("jobs", request);
export const job = (id: string, behind: number) =>
  ask<Job>(`/analysis/jobs/${encodeURIComponent(id)}?behind=${behind}`);

/** Fetches a text, such as PGN or SVG. */
async function fetchText(path: string, options: RequestInit = {}): Promise<string> {
  const response = await fetch(at(`/api${path}`), options).catch(() => {
    throw refusal("offline");
  });
  if (!response.ok) throw await refusalOf(response);
  return response.text();
}

function postForText(what: string, body: unknown): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  return fetchText(`/analysis/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
}

export const pgn = (request: TreeRequest) => postForText("pgn", request);
export const picture = (request: PictureRequest) => postForText("picture", request);
export const matchPgn = (match: string) => fetchText(`/matches/${encodeURIComponent(match)}/pgn`);
