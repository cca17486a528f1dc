// What the analysis board asks of the server.

import type {
  Attacks,
  Edited,
  EditRequest,
  FenRequest,
  Job,
  JobRequest,
  MovesMade,
  MovesRequest,
  PictureRequest,
  RecordRequest,
  Tree,
  TreeRequest,
} from "../wire";
import { ask } from "./api";
import { at } from "./paths";
import { refusal, refusalOf } from "./problem";

const post = <T>(what: string, body: unknown, signal?: AbortSignal) =>
  ask<T>(`/analysis/${what}`, { method: "POST", body, signal });

export const tree = (asked: TreeRequest) => post<Tree>("tree", asked);
export const record = (pgn: string) => post<Tree>("record", { pgn } satisfies RecordRequest);
export const moves = (asked: MovesRequest) => post<MovesMade>("moves", asked);
export const attacks = (asked: FenRequest, signal?: AbortSignal) => post<Attacks>("attacks", asked, signal);
export const edit = (asked: EditRequest, signal?: AbortSignal) => post<Edited>("edit", asked, signal);
export const begin = (asked: JobRequest) => post<Job>("jobs", asked);
export const job = (id: string, behind: number) =>
  ask<Job>(`/analysis/jobs/${encodeURIComponent(id)}?behind=${behind}`);

/** What the server writes as text: PGN, SVG. */
async function written(what: string, body: unknown): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(at(`/api/analysis/${what}`), options).catch(() => {
    throw refusal("offline");
  });
  if (!response.ok) throw await refusalOf(response);
  return response.text();
}

export const pgn = (asked: TreeRequest) => written("pgn", asked);
export const picture = (asked: PictureRequest) => written("picture", asked);
