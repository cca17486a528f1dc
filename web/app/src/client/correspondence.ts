import type { ConditionalMoves, DaysOff, NewDaysOff, Note } from "../wire";
import { ask } from "./api";

const own = <T>(path: string, signal?: AbortSignal) => ask<T>(path, { seated: true, signal });
const change = <T>(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown) =>
  ask<T>(path, { method, body, seated: true });
const conditional = (match: string) => `/matches/${match}/conditional-moves`;

export const daysOff = (signal?: AbortSignal) => own<DaysOff>("/me/days-off", signal);
export const takeDaysOff = (body: NewDaysOff) => change<DaysOff>("POST", "/me/days-off", body);
export const endDaysOff = () => change<DaysOff>("DELETE", "/me/days-off");

export const conditionalMoves = (match: string, signal?: AbortSignal) =>
  own<Required<ConditionalMoves>>(conditional(match), signal);
export const leave = (match: string, lines: string[][][]) =>
  change<Required<ConditionalMoves>>("PUT", conditional(match), { lines });

export const note = (match: string, signal?: AbortSignal) => own<Note>(`/matches/${match}/note`, signal);
export const writeNote = (match: string, body: Note) => change<void>("PUT", `/matches/${match}/note`, body);
