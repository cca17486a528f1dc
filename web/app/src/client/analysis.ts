// The server's API for the analysis board.

import { MAX_PGN } from "../../../core/src/limits.ts";
import { answered, hereOrThere, type Question, theCore, type Wanted, withCore } from "../core";
import { orHere, refusal, refusalOf } from "../refusal";
import type {
  Attacks,
  Edited,
  EditRequest,
  FenRequest,
  Job,
  JobRequest,
  RecordRequest,
  Tree,
  TreeRequest,
} from "../wire";
import { ask } from "./api";
import { at } from "./paths";

const post = <T>(what: string, body: unknown, signal?: AbortSignal) =>
  ask<T>(`/analysis/${what}`, { method: "POST", body, signal });

/** Asks the core in this browser where it is ready, and else the server. */
function question<T>(what: string, request: Wanted, here: Question<T>, ask = () => post<T>(what, request)): Promise<T> {
  return answered({ game: request.game, options: request.options ?? {} }, here, ask);
}

export const tree = (request: TreeRequest) =>
  question<Tree>("tree", request, ({ answers }, game) => answers.tree(game, request));
export const attacks = (request: FenRequest, signal?: AbortSignal) =>
  question<Attacks>(
    "attacks",
    request,
    ({ answers }, game) => answers.attacks(game, request.fen),
    () => post("attacks", request, signal),
  );
export const edit = (request: EditRequest, signal?: AbortSignal) =>
  question<Edited>(
    "edit",
    request,
    ({ answers }, game) => answers.edited(game, request),
    () => post("edit", request, signal),
  );
export const pgn = (request: TreeRequest) =>
  question<string>(
    "pgn",
    request,
    ({ answers }, game) => answers.pgn(game, request),
    () => postForText("pgn", request),
  );

/** Reads the first game of a PGN as a tree. */
export async function record(pgn: string): Promise<Tree> {
  if (pgn.length > MAX_PGN) throw refusal("too_large");
  const asked = () => post<Tree>("record", { pgn } satisfies RecordRequest);
  return hereOrThere(() => readHere(pgn, asked), asked);
}

async function readHere(pgn: string, asked: () => Promise<Tree>): Promise<Tree | undefined> {
  const unread = (message: string) => refusal({ code: "invalid", message, where: "pgn" });
  const core = await theCore();
  if (!core) return undefined;
  // In a worker that can be ended: the text may be a stranger's.
  const list = await core.readMoves(pgn).catch((error: Error) => {
    throw unread(error.message);
  });
  if (!list) throw unread("this text contains no game");
  const { game: id, options, errors } = list;
  if (id !== null) return withCore({ game: id, options }, ({ answers }, game) => answers.record(game, list));
  // The server may know the game.
  return orHere(asked(), () => Promise.reject(unread(errors[0] ?? "")));
}

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

export const matchPgn = (match: string) => fetchText(`/matches/${encodeURIComponent(match)}/pgn`);
