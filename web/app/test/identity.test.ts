import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, become, identity, signedIn, signedOut, whoAmI } from "../src/client";
import { install } from "./fake-server";

afterEach(() => vi.unstubAllGlobals());

beforeEach(() => {
  localStorage.clear();
  become(null);
});

test("concurrent requests create one guest", async () => {
  let made = 0;
  install(() => ({ id: "g", name: "Guest 7", token: `token-${++made}-0123456789` }));
  const [one, two] = await Promise.all([whoAmI(), whoAmI()]);
  expect([one.token, two.token, made]).toEqual(["token-1-0123456789", "token-1-0123456789", 1]);
  expect(JSON.parse(localStorage.getItem("acedrex.identity") ?? "")).toEqual({ token: one.token, name: "Guest 7" });
});

test("two tabs on a first visit create one guest", async () => {
  vi.resetModules();
  const other = await import("../src/client");
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, work: () => Promise<unknown>) => {
    last = last.then(work);
    return last;
  };
  vi.stubGlobal("navigator", { ...navigator, locks: { request } });
  install(() => ({ id: "g", name: "Guest", token: `token-${++made}-0123456789` }));
  const [one, two] = await Promise.all([whoAmI(), other.whoAmI()]);
  expect([one.token, two.token, made]).toEqual(["token-1-0123456789", "token-1-0123456789", 1]);
});

test("a failure is not cached", async () => {
  install(() => null);
  await expect(whoAmI()).rejects.toMatchObject({ code: "offline" });
  install(() => ({ id: "g", name: "Guest", token: "token-0123456789" }));
  expect((await whoAmI()).token).toBe("token-0123456789");
});

test("giving up the identity deletes the token", () => {
  become({ token: "abcdefghijklmnop", name: "Ann" });
  become(null);
  expect([identity.value, localStorage.getItem("acedrex.identity")]).toEqual([null, null]);
});

test("whoever signs in keeps the guest of this browser for later", () => {
  const guest = { token: "token-of-the-guest", name: "Guest 7" };
  become(guest);
  signedIn({ id: "a", name: "Ana", account: true, token: "token-of-ana-0001" });
  expect(identity.value).toEqual({ token: "token-of-ana-0001", name: "Ana", account: true });
  signedIn({ id: "a", name: "Ana", account: true, token: "token-of-ana-0002" });
  signedOut();
  expect(identity.value).toEqual(guest);
  signedOut();
  expect(identity.value).toBeNull();
});

test("a guest who has made an account is no guest any more", () => {
  become({ token: "token-of-the-guest", name: "Guest 7" });
  signedIn({ id: "g", name: "Ana", account: true, token: "token-of-ana-0001" }, false);
  expect(identity.value).toEqual({ token: "token-of-ana-0001", name: "Ana", account: true });
  signedOut();
  expect(identity.value).toBeNull();
});

test("what the server says of the person does not change the session", () => {
  become({ token: "token-of-ana-0001", name: "" });
  signedIn({ id: "a", name: "Ana", account: true, token: null });
  expect(identity.value).toEqual({ token: "token-of-ana-0001", name: "Ana", account: true });
});

test("a device that was signed out elsewhere says so, and creates no new guest", async () => {
  become({ token: "token-of-ana-0001", name: "Ana", account: true });
  let made = 0;
  install((path) => {
    if (path === "/api/guests") made += 1;
    return new Response(JSON.stringify({ code: "unknown_guest", message: "", where: null }), { status: 401 });
  });
  await expect(api.me()).rejects.toMatchObject({ code: "signed_out" });
  expect([identity.value, made]).toEqual([null, 0]);
});
