import type {
  ChaptersAdded,
  InventorsPage,
  InventorsStudy,
  MemberRequest,
  NewChapter,
  NewStudy,
  StudyAttempt,
  StudyChapter,
  StudyCreated,
  StudyPage,
  StudyRequest,
  Whose,
} from "../wire";
import { ask } from "./api";
import { fileOf } from "./files";

const part = encodeURIComponent;

export const list = (whose: Whose, after: string | null, signal?: AbortSignal) =>
  ask<StudyPage>(`/studies?whose=${whose}${after ? `&after=${part(after)}` : ""}`, {
    seated: whose === "mine",
    signal,
  });
export const make = (body: NewStudy) => ask<StudyCreated>("/studies", { method: "POST", body, seated: true });
export const change = (study: string, body: StudyRequest) =>
  ask<void>(`/studies/${part(study)}`, { method: "PATCH", body, seated: true });
export const remove = (study: string) => ask<void>(`/studies/${part(study)}`, { method: "DELETE", seated: true });
export const addChapter = (study: string, body: NewChapter) =>
  ask<ChaptersAdded>(`/studies/${part(study)}/chapters`, { method: "POST", body, seated: true });
export const readPgn = (study: string, pgn: string) =>
  ask<ChaptersAdded>(`/studies/${part(study)}/pgn`, { method: "POST", body: { pgn }, seated: true });
/** A chapter as a PGN file, or the whole study. */
export const record = (study: string, chapter?: number) =>
  fileOf(`/studies/${part(study)}/pgn${chapter === undefined ? "" : `?chapter=${chapter}`}`, false);
export const attempt = (study: string, chapter: number, moves: string[], show: boolean) =>
  ask<StudyAttempt>(`/studies/${part(study)}/chapters/${chapter}/attempts`, { method: "POST", body: { moves, show } });
export const addPerson = (study: string, who: string, role: MemberRequest["role"]) =>
  ask<void>(`/studies/${part(study)}/people/${part(who)}`, { method: "PUT", body: { role }, seated: true });
export const removePerson = (study: string, who: string) =>
  ask<void>(`/studies/${part(study)}/people/${part(who)}`, { method: "DELETE", seated: true });
export const withdraw = (study: string, reason: string) =>
  ask<void>(`/studies/${part(study)}/withdrawal`, { method: "POST", body: { reason }, seated: true });
export const chapter = (study: string, chapter: number) =>
  ask<StudyChapter>(`/studies/${part(study)}/chapters/${chapter}`);
/** The inventor's page of a published game, if it has one. */
export const ofGame = (game: string, signal?: AbortSignal) =>
  ask<InventorsPage | null>(`/published/${part(game)}/study`, { signal });
export const nameForGame = (game: string, body: InventorsStudy) =>
  ask<void>(`/published/${part(game)}/study`, { method: "PUT", body, seated: true });
export const report = (study: string, reason: string) =>
  ask<void>(`/studies/${part(study)}/reports`, { method: "POST", body: { reason }, seated: true });
