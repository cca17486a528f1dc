import { language, t } from "../i18n";
import { refusal, refusalOf } from "../refusal";
import type {
  AccountCreated,
  CodeSignIn,
  Confirmation,
  ConfirmedAddress,
  NewAccount,
  NewPassword,
  NewPasswordByMail,
  Passkey,
  PasskeyChallenge,
  PasskeyUse,
  Person,
  Recovery,
  RecoveryCode,
  Session,
  SignIn,
  SignInCode,
  SignInMethods,
  Ways,
} from "../wire";
import { ask } from "./api";
import { identity } from "./identity";
import { makePasskey, usePasskey } from "./passkeys";
import { at } from "./paths";

const post = <T>(path: string, body: unknown, seated: boolean) => ask<T>(path, { method: "POST", body, seated });

/** How one gets an account on this server, and gets back into it. */
export const ways = (signal?: AbortSignal) => ask<Ways>("/accounts", { signal });
/** How the person signs in, and where mails go. */
export const methods = (signal?: AbortSignal) => ask<SignInMethods>("/me/account", { seated: true, signal });

export const create = (account: Partial<NewAccount>) => post<AccountCreated>("/me/account", account, true);
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

/** Returns who has a token. The app's other requests would make a new guest if nobody has it. */
export async function holder(token: string): Promise<Person> {
  const asked = fetch(at("/api/me"), { headers: { Authorization: `Bearer ${token}` } });
  const answer = await asked.catch(() => {
    throw refusal("offline");
  });
  if (!answer.ok) throw await refusalOf(answer);
  return { ...((await answer.json()) as Person), token };
}

// Passkeys.

type Asked = { name?: string; invitation?: string | null };
const challenge = (purpose: PasskeyUse, more: Asked = {}) =>
  post<PasskeyChallenge>("/me/passkeys/challenge", { purpose, ...more }, true);

/** Returns what a passkey that is made here is called at first: what this device is called in the list of sessions. */
async function deviceName(): Promise<string> {
  return (await sessions()).find(({ current }) => current)?.device || t("passkeys.label");
}

/** Makes an account that has a passkey and no password. */
export async function createWithPasskey(name: string, invitation: string | null) {
  const label = await deviceName();
  const passkey = await makePasskey(await challenge("new_passkey", { name, invitation }), name, label);
  return create({ name, passkey, invitation });
}

export async function signInWithPasskey(): Promise<Person> {
  const passkey = await usePasskey(await post<PasskeyChallenge>("/sessions/passkey/challenge", {}, false));
  return post<Person>("/sessions/passkey", { passkey }, false);
}

/** Has a passkey confirm something that only the owner may do. */
export async function confirmedBy(purpose: PasskeyUse): Promise<Confirmation> {
  const asked = await challenge(purpose);
  // Without any, the browser would offer those of other accounts.
  if (asked.known.length === 0) throw refusal("no_passkey");
  return { password: null, passkey: await usePasskey(asked) };
}

export async function addPasskey(confirmation: Confirmation): Promise<Passkey[]> {
  const label = await deviceName();
  const passkey = await makePasskey(await challenge("add_passkey"), identity.value?.name ?? "", label);
  return post<Passkey[]>("/me/passkeys", { passkey, confirmation }, true);
}
export const renamePasskey = (id: string, name: string) =>
  ask<void>(`/me/passkeys/${id}`, { method: "PATCH", body: { name }, seated: true });
export const removePasskey = (id: string, confirmation: Confirmation) =>
  post<void>(`/me/passkeys/${id}/removal`, confirmation, true);

// Mails.

export const setAddress = (address: string, confirmation: Confirmation) =>
  ask<void>("/me/mail", { method: "PUT", body: { address, confirmation, language: language.value }, seated: true });
export const removeAddress = (confirmation: Confirmation) => post<void>("/me/mail/removal", confirmation, true);
export const confirmAddress = (secret: string) => post<ConfirmedAddress>("/mail/confirmation", { secret }, false);
export const askRecovery = (who: string) => post<void>("/recovery/mail", { who }, false);
export const recoverByMail = (how: NewPasswordByMail) => post<AccountCreated>("/recovery/link", how, false);
