// What the analysis board asks of the server.

import type { Attacks, Edited, GameChoice, Job, PieceOn, PliesMade, Side, Tree, TreeNode } from "../wire";
import { ask } from "./api";
import { at } from "./paths";
import { refusal, refusalOf } from "./problem";

const post = <T>(what: string, body: unknown, signal?: AbortSignal) =>
  ask<T>(`/analysis/${what}`, { method: "POST", body, signal });

export interface TreeAsked extends GameChoice {
  setup?: string;
  fen?: string;
  nodes?: TreeNode[];
  comment?: string;
  tags?: Record<string, string>;
}

export interface PictureAsked extends GameChoice {
  fen: string;
  last: string[];
  arrows: { from: string; to: string; colour: string }[];
  orientation: Side;
  pieces: "art" | "letters";
  theme: "light" | "dark";
}

export type EditAsked = GameChoice & ({ fen: string } | { pieces: PieceOn[]; turn: Side; rights: string });

export const tree = (asked: TreeAsked) => post<Tree>("tree", asked);
export const record = (pgn: string) => post<Tree>("record", { pgn });
export const plies = (asked: GameChoice & { fen: string; plies: string[] }) => post<PliesMade>("plies", asked);
export const attacks = (asked: GameChoice & { fen: string }, signal?: AbortSignal) =>
  post<Attacks>("attacks", asked, signal);
export const edit = (asked: EditAsked, signal?: AbortSignal) => post<Edited>("edit", asked, signal);
export const begin = (asked: GameChoice & { fen: string; plies: string[] }) => post<Job>("jobs", asked);
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
