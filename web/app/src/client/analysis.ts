// What the analysis board asks of the server.

import type {
  Attacks,
  EditAsked,
  Edited,
  FenAsked,
  Job,
  JobAsked,
  MovesAsked,
  MovesMade,
  PictureAsked,
  RecordAsked,
  Tree,
  TreeAsked,
} from "../wire";
import { ask } from "./api";
import { at } from "./paths";
import { refusal, refusalOf } from "./problem";

const post = <T>(what: string, body: unknown, signal?: AbortSignal) =>
  ask<T>(`/analysis/${what}`, { method: "POST", body, signal });

export const tree = (asked: TreeAsked) => post<Tree>("tree", asked);
export const record = (pgn: string) => post<Tree>("record", { pgn } satisfies RecordAsked);
export const moves = (asked: MovesAsked) => post<MovesMade>("moves", asked);
export const attacks = (asked: FenAsked, signal?: AbortSignal) => post<Attacks>("attacks", asked, signal);
export const edit = (asked: EditAsked, signal?: AbortSignal) => post<Edited>("edit", asked, signal);
export const begin = (asked: JobAsked) => post<Job>("jobs", asked);
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

export const pgn = (asked: TreeAsked) => written("pgn", asked);
export const picture = (asked: PictureAsked) => written("picture", asked);
