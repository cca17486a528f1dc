import { signal } from "@preact/signals";
import { refusal, refusalOf } from "../refusal";
import type { Person } from "../wire";
import { at } from "./paths";
import { load, save } from "./storage";

/**
 * Who plays in this browser: a guest, whom the server creates on the first action that needs one, or somebody with an
 * account.
 */
export interface Identity {
  token: string;
  name: string;
  account?: boolean;
}

function stored(key: "identity" | "identity.guest" = "identity"): Identity | null {
  const found = load(key);
  if (!isIdentity(found)) return null;
  const { token, name, account } = found;
  return account === true ? { token, name, account } : { token, name };
}

function isIdentity(value: unknown): value is Identity {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Identity).token === "string" &&
    (value as Identity).token.length > 0 &&
    (value as Identity).token.length <= 200 &&
    typeof (value as Identity).name === "string"
  );
}

export const identity = signal<Identity | null>(stored());

function store<T extends Identity | null>(next: T): T {
  identity.value = next;
  save("identity", next);
  return next;
}

addEventListener("storage", (event) => {
  if (event.key === "acedrex.identity") identity.value = stored();
});

let making: Promise<Identity> | null = null;

/** Returns this browser's identity; it is created if there is none yet. */
export function whoAmI(): Promise<Identity> {
  if (identity.value) return Promise.resolve(identity.value);
  // Of the tabs of a first visit only one makes a guest. Browsers offer no locks to pages without HTTPS.
  making ??= (navigator.locks?.request("acedrex.identity", make) ?? make()).finally(() => {
    making = null;
  });
  return making;
}

async function make(): Promise<Identity> {
  const made = stored();
  if (made) return store(made);
  const response = await fetch(at("/api/guests"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => {
    throw refusal("offline");
  });
  if (!response.ok) throw await refusalOf(response);
  const guest = (await response.json()) as Person;
  return store({ token: guest.token ?? "", name: guest.name });
}

export function rename(name: string): void {
  if (identity.value) store({ ...identity.value, name });
}

/**
 * Takes over what the server says of the person who has signed in.
 *
 * @param isOther whether it may be somebody else than before: a guest of this browser is kept for later.
 */
export function signedIn({ name, token, account }: Person, isOther = true): void {
  const before = identity.value;
  if (isOther && before && !before.account && token && !stored("identity.guest")) save("identity.guest", before);
  wasSignedOut.value = false;
  store({ token: token ?? before?.token ?? "", name, ...(account && { account }) });
}

/** Whether this device was signed out by another one: that stays on the screen until somebody signs in. */
export const wasSignedOut = signal(false);

/** Returns to the guest that was here before somebody signed in, or to nobody. */
export function signedOut(): void {
  const guest = stored("identity.guest");
  save("identity.guest", null);
  store(guest);
}

/** Sets aside an identity that the server does not know, such as one from an earlier database. */
export function setAside(): void {
  save("identity.aside", identity.value);
  store(null);
}

/** Switches to another identity, or with `null` to none. */
export function become(next: Identity | null): void {
  store(next);
}
