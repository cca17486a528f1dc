import { symbolOf } from "@acedrex/board";
import { answered, type Question, type Wanted } from "../core";
import { language } from "../i18n";
import { orHere, Refusal, refusal, refusalOf } from "../refusal";
import type {
  Attempt,
  AttemptResult,
  Challenge,
  Channel,
  Daily,
  DayMatch,
  Example,
  Game,
  GameSummary,
  Here,
  Idle,
  Lessons,
  MatchCard,
  MatchCreated,
  MovesMade,
  MovesRequest,
  NewMatch,
  Person,
  PieceOn,
  Position,
  PositionRequest,
  Puzzle,
  PuzzleEntry,
  Reach,
  ReachRequest,
  Setup,
  Side,
  Snapshot,
  SquareRequest,
  StartingPositions,
} from "../wire";
import { identity, setAside, signedOut, wasSignedOut, whoAmI } from "./identity";
import { at } from "./paths";

interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Whether the request needs an identity; a guest is created if there is none. */
  seated?: boolean;
}

/**
 * Sends a request to the server and returns its answer.
 *
 * @throws Refusal if the server refuses the request or cannot be reached.
 */
export async function ask<T>(path: string, { method = "GET", body, signal, seated = false }: Request = {}): Promise<T> {
  const token = seated ? (await whoAmI()).token : identity.value?.token;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const file = body instanceof Blob;
  if (body !== undefined && !file) headers["Content-Type"] = "application/json";
  const options: RequestInit = { method, headers };
  if (body !== undefined) options.body = file ? body : JSON.stringify(body);
  if (signal) options.signal = signal;
  const response = await fetch(at(`/api${path}`), options).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw refusal("offline");
  });
  if (!response.ok) {
    const refused = await refusalOf(response);
    // The server does not know the token: set it aside and try again, as a new guest or without an identity.
    if (refused.code === "unknown_guest" && token && token === identity.value?.token) {
      if (identity.value.account) {
        signedOut();
        wasSignedOut.value = true;
        throw refusal("signed_out");
      }
      setAside();
      return ask<T>(path, { method, body, signal, seated });
    }
    throw refused;
  }
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const part = encodeURIComponent;
const lang = () => `lang=${language.value}`;

export const games = (signal?: AbortSignal) => ask<GameSummary[]>(`/games?${lang()}`, { signal });
export const game = (id: string, signal?: AbortSignal) => ask<Game>(`/games/${part(id)}?${lang()}`, { signal });
export const gameOfMatch = (id: string, signal?: AbortSignal) =>
  ask<Game>(`/matches/${part(id)}/game?${lang()}`, { signal });
/** A setup by its name, its number or `random`. */
export const setup = (id: string, which: string | number) =>
  orHere(ask<Setup>(`/games/${part(id)}/setups/${part(String(which))}`), async () =>
    (await import("../local/setup")).setupOf(id, which),
  );

/** Positions to begin a match from. */
export const startingPositions = (id: string, signal?: AbortSignal) =>
  ask<StartingPositions>(`/games/${part(id)}/positions`, { signal });

/** Asks the core in this browser where it is ready, and else the server. */
function question<T>(
  path: string,
  { rules_hash, ...body }: Wanted,
  here: Question<T>,
  signal?: AbortSignal,
): Promise<T> {
  return answered({ ...body, rules_hash }, here, () => ask<T>(path, { method: "POST", body, signal }));
}

export const position = (body: PositionRequest & Wanted, signal?: AbortSignal) =>
  question<Position>("/position", body, ({ answers }, game) => answers.position(game, body), signal);

/** Returns what a board asks in a position: where the piece on a square could go. */
export const reachIn =
  (wanted: Wanted, fen: string) =>
  (square: string, premove = false, piece: PieceOn | null = null) => {
    const alone = piece && symbolOf(piece);
    const body = { ...wanted, fen, square, premove, alone } satisfies ReachRequest & Wanted;
    return question<Reach[]>("/reach", body, ({ answers }, game) => answers.reach(game, fen, square, premove, alone));
  };

/** Why the piece on a square has no legal move; `null` if it has one, or if its side is not to move. */
export async function idle(wanted: Wanted, fen: string, square: string): Promise<string | null> {
  const body = { ...wanted, fen, square } satisfies SquareRequest & Wanted;
  return (await question<Idle>(`/idle?${lang()}`, body, ({ answers }, game) => answers.idle(game, fen, square))).reason;
}

/** Makes moves, in coordinates or SAN. */
export const moves = (body: MovesRequest & Wanted) =>
  question<MovesMade>("/analysis/moves", body, ({ answers }, game) => answers.moves(game, body));

/** Returns the legal move that a text means, or `null`. */
export const readMove = (choice: Wanted, fen: string, text: string): Promise<string | null> =>
  moves({ ...choice, fen, moves: [text] }).then(
    ({ nodes }) => nodes[0]?.move ?? null,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === "invalid") return null;
      throw error;
    },
  );

export const lessons = (id: string, signal?: AbortSignal) =>
  ask<Lessons>(`/games/${part(id)}/lessons?${lang()}`, { signal });
export const firstGame = (id: string, signal?: AbortSignal) =>
  ask<Example[]>(`/games/${part(id)}/first-game?${lang()}`, { signal });
export const exercises = (id: string, signal?: AbortSignal) =>
  ask<Puzzle[]>(`/games/${part(id)}/exercises`, { signal });
export const tryExercise = (id: string, number: number, moves: string[], show: boolean) =>
  ask<AttemptResult>(`/games/${part(id)}/exercises/${number}`, {
    method: "POST",
    body: { moves, show } satisfies Attempt,
  });
export const puzzles = (id: string, signal?: AbortSignal) =>
  ask<PuzzleEntry[]>(`/games/${part(id)}/puzzles`, { signal });
export const puzzle = (id: string, number: number, signal?: AbortSignal) =>
  ask<Puzzle>(`/games/${part(id)}/puzzles/${number}`, { signal });
export const tryPuzzle = (id: string, number: number, moves: string[], show: boolean, rated = false) =>
  ask<AttemptResult>(`/games/${part(id)}/puzzles/${number}`, {
    method: "POST",
    body: { moves, show, rated } satisfies Attempt,
  });
export const daily = (date: string | undefined, signal?: AbortSignal) =>
  ask<Daily>(date ? `/daily?date=${part(date)}` : "/daily", { signal });
export const tryDaily = (date: string, moves: string[], show: boolean, rated = false) =>
  ask<AttemptResult>(`/daily/${part(date)}`, { method: "POST", body: { moves, show, rated } satisfies Attempt });

export const create = (match: NewMatch) => ask<MatchCreated>("/matches", { method: "POST", body: match, seated: true });
const expected = new Map<string, Promise<Snapshot>>();
/** Fetches a match ahead of the page that shows it. */
export function expectMatch(id: string): void {
  const snapshot = ask<Snapshot>(`/matches/${part(id)}`);
  snapshot.catch(() => undefined);
  expected.set(id, snapshot);
}
export function match(id: string): Promise<Snapshot> {
  const snapshot = expected.get(id);
  expected.delete(id);
  return snapshot ?? ask<Snapshot>(`/matches/${part(id)}`);
}
export const takeSeat = (id: string, invite: string, side: Side | null) =>
  ask<void>(`/matches/${part(id)}/seat`, { method: "POST", body: { invite, side }, seated: true });

export const lobby = (signal?: AbortSignal) => ask<Challenge[]>("/lobby", { signal });
export const accept = (id: string, side: Side | null) =>
  ask<void>(`/lobby/${part(id)}/accept${side ? `?side=${side}` : ""}`, { method: "POST", seated: true });
export const here = (signal?: AbortSignal) => ask<Here>("/here", { signal });
export const watch = (signal?: AbortSignal) => ask<MatchCard[]>("/watch", { signal });
export const tv = (signal?: AbortSignal) => ask<Channel[]>("/tv", { signal });
export const matchOfTheDay = (signal?: AbortSignal) => ask<DayMatch | null>("/match-of-the-day", { signal });
export const mine = (signal?: AbortSignal) => ask<MatchCard[]>("/me/matches", { seated: true, signal });
export const me = () => ask<Person>("/me", { seated: true });
export const renameMe = (name: string) => ask<Person>("/me", { method: "PATCH", body: { name }, seated: true });
