import type {
  BoardRuling,
  NewTournament,
  OwnCalendar,
  OwnTournament,
  Tournament,
  TournamentDescription,
  TournamentList,
  TournamentMade,
} from "../wire";
import { ask } from "./api";

const part = encodeURIComponent;
const change = (method: "PUT" | "DELETE" | "POST", path: string, body?: unknown) =>
  ask<void>(`/tournaments/${path}`, { method, body, seated: true });

export const listed = (before: number | null, signal?: AbortSignal) =>
  ask<TournamentList>(`/tournaments${before === null ? "" : `?before=${before}`}`, { signal });
export const one = (id: string, signal?: AbortSignal) => ask<Tournament>(`/tournaments/${part(id)}`, { signal });
export const own = (id: string, signal?: AbortSignal) =>
  ask<OwnTournament>(`/tournaments/${part(id)}/me`, { seated: true, signal });
export const make = (body: NewTournament) =>
  ask<TournamentMade>("/tournaments", { method: "POST", body, seated: true });

export const enter = (id: string) => change("POST", `${part(id)}/entry`);
export const withdraw = (id: string) => change("DELETE", `${part(id)}/entry`);
export const bye = (id: string, round: number) => change("POST", `${part(id)}/byes`, { round });
export const start = (id: string, at: number) => change("PUT", `${part(id)}/start`, { at });
export const cancel = (id: string) => change("POST", `${part(id)}/cancellation`);
export const describe = (id: string, body: TournamentDescription) => change("PUT", `${part(id)}/description`, body);
export const remove = (id: string, player: number) => change("DELETE", `${part(id)}/players/${player}`);
export const rule = (id: string, board: number, body: BoardRuling) =>
  change("POST", `${part(id)}/boards/${board}/ruling`, body);
export const propose = (id: string, board: number, times: number[]) =>
  change("PUT", `${part(id)}/boards/${board}/times`, { times });
export const agree = (id: string, board: number, at: number) =>
  change("PUT", `${part(id)}/boards/${board}/appointment`, { at });
export const arrive = (id: string, board: number) => change("POST", `${part(id)}/boards/${board}/arrival`);

export const calendar = (signal?: AbortSignal) => ask<OwnCalendar>("/me/calendar", { seated: true, signal });
export const newCalendar = () => ask<OwnCalendar>("/me/calendar", { method: "POST", seated: true });
export const noCalendar = () => ask<void>("/me/calendar", { method: "DELETE", seated: true });
