// Matches on this device have ids that no match of a server has.

const BEGINNING = "local-";

export const isLocal = (match: string): boolean => match.startsWith(BEGINNING);

export function newId(): string {
  return BEGINNING + Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("");
}
