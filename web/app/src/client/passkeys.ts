// Passkeys: what the server and the browser tell each other about them.

import { Refusal, refusal } from "../refusal";
import type { NewPasskey, PasskeyChallenge, PasskeyProof } from "../wire";

const TIMEOUT_MS = 5 * 60_000;
/** Ed25519, ECDSA and RSA, by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257];

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Whether this browser can use passkeys on this page, for a site of the server's. */
export function passkeysWork(site: string): boolean {
  const host = location.hostname;
  return "PublicKeyCredential" in window && (host === site || host.endsWith(`.${site}`));
}

const named = (ids: string[]) => ids.map((id) => ({ type: "public-key" as const, id: bytes(id) }));

function failed(error: unknown): never {
  if (error instanceof Refusal) throw error;
  throw refusal(error instanceof DOMException && error.name === "InvalidStateError" ? "known_passkey" : "no_passkey");
}

/**
 * Makes a passkey.
 *
 * @param user what the device calls it in its list: the name of the account.
 * @param name what the server calls it.
 * @throws Refusal if the person or the browser will not.
 */
export async function makePasskey(asked: PasskeyChallenge, user: string, name: string): Promise<NewPasskey> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: bytes(asked.challenge),
    rp: { id: asked.site, name: "Acedrex" },
    user: { id: new TextEncoder().encode(asked.user), name: user, displayName: user },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
    excludeCredentials: named(asked.known),
    timeout: TIMEOUT_MS,
  };
  const made = (await navigator.credentials.create({ publicKey }).catch(failed)) as PublicKeyCredential | null;
  if (!made) throw refusal("no_passkey");
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return { name, id: made.id, client_data: text(clientDataJSON), attestation: text(attestationObject) };
}

/**
 * Has a passkey sign what the server asks.
 *
 * @throws Refusal if the person or the browser will not.
 */
export async function usePasskey(asked: PasskeyChallenge): Promise<PasskeyProof> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytes(asked.challenge),
    rpId: asked.site,
    allowCredentials: named(asked.known),
    userVerification: "required",
    timeout: TIMEOUT_MS,
  };
  const found = (await navigator.credentials.get({ publicKey }).catch(failed)) as PublicKeyCredential | null;
  if (!found) throw refusal("no_passkey");
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response as AuthenticatorAssertionResponse;
  return {
    id: found.id,
    client_data: text(clientDataJSON),
    authenticator_data: text(authenticatorData),
    signature: text(signature),
    user_handle: userHandle ? text(userHandle) : null,
  };
}
