import type {
  AccountCreated,
  CodeSignIn,
  Confirmation,
  NewAccount,
  NewPassword,
  Person,
  Recovery,
  RecoveryCode,
  Session,
  SignIn,
  SignInCode,
} from "../wire";
import { ask } from "./api";

const post = <T>(path: string, body: unknown, seated: boolean) => ask<T>(path, { method: "POST", body, seated });

export const create = (account: NewAccount) => post<AccountCreated>("/me/account", account, true);
export const signIn = (how: SignIn) => post<Person>("/sessions", how, false);
export const signInWithCode = (how: CodeSignIn) => post<Person>("/sessions/code", how, false);
export const recover = (how: Recovery) => post<AccountCreated>("/recovery", how, false);

export const sessions = (signal?: AbortSignal) => ask<Session[]>("/me/sessions", { seated: true, signal });
export const endSession = (id: string) =>
  ask<void>(`/me/sessions/${encodeURIComponent(id)}`, { method: "DELETE", seated: true });
export const endOtherSessions = () => ask<void>("/me/sessions", { method: "DELETE", seated: true });

export const code = () => post<SignInCode>("/me/code", {}, true);
export const changePassword = (body: NewPassword) => ask<Person>("/me/password", { method: "PUT", body, seated: true });
export const newRecoveryCode = (body: Confirmation) => post<RecoveryCode>("/me/recovery", body, true);
