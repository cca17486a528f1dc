import { language } from "../i18n";
import type {
  Acquaintance,
  Action,
  Conversation,
  FairPlay,
  LogPage,
  Message,
  MessagePage,
  NewMessage,
  NewReport,
  News,
  Profile,
  Report,
} from "../wire";
import { ask } from "./api";

const part = encodeURIComponent;
const own = <T>(path: string, signal?: AbortSignal) => ask<T>(path, { seated: true, signal });
const change = (method: "PUT" | "DELETE" | "POST", path: string, body?: unknown) =>
  ask<void>(path, { method, body, seated: true });

export const profile = (name: string, signal?: AbortSignal) => ask<Profile>(`/people/${part(name)}`, { signal });

type List = "follows" | "blocks";
export const listed = (list: List, signal?: AbortSignal) => own<Acquaintance[]>(`/me/${list}`, signal);
export const put = (list: List, who: string) => change("PUT", `/me/${list}/${part(who)}`);
export const take = (list: List, who: string) => change("DELETE", `/me/${list}/${part(who)}`);

export const news = (signal?: AbortSignal) => own<News>("/me/news", signal);
export const seen = () => change("DELETE", "/me/news/renamed");
export const takeMessages = (messages: boolean) => change("PUT", "/me/messages", { messages });
export const conversations = (signal?: AbortSignal) => own<Conversation[]>("/me/messages", signal);
export const conversation = (who: string, before: number | null, signal?: AbortSignal) =>
  own<MessagePage>(`/me/messages/${part(who)}${before === null ? "" : `?before=${before}`}`, signal);
export const read = (who: string) => change("PUT", `/me/messages/${part(who)}/read`);
export const send = (who: string, body: NewMessage) =>
  ask<Message>(`/me/messages/${part(who)}`, { method: "POST", body, seated: true });

export const report = (body: NewReport) => change("POST", "/reports", body);
export const reports = (signal?: AbortSignal) => own<Report[]>("/moderation/reports", signal);
export const act = (body: Action) => change("POST", "/moderation/actions", body);
export const fairPlay = (signal?: AbortSignal) => own<FairPlay>(`/moderation/fair-play?lang=${language.value}`, signal);
export const log = (before: number | null, signal?: AbortSignal) =>
  own<LogPage>(`/moderation/log${before === null ? "" : `?before=${before}`}`, signal);
