import { render } from "preact";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { become, identity } from "../src/client";
import { setLanguage } from "../src/i18n";
import { YourData } from "../src/pages/your-data";
import { install } from "./fake-server";

const page = document.createElement("div");
const asked: [string, RequestInit][] = [];
const paths = () => asked.map(([path]) => path);

beforeAll(() => setLanguage("en"));

beforeEach(() => {
  asked.length = 0;
  HTMLDialogElement.prototype.showModal = vi.fn();
  install((path, options) => {
    asked.push([path, options]);
    if (path === "/api/privacy") return { unplayed: 61, analyses: 182, unused: 183 };
    if (path === "/api/me") return { id: "g1", name: "Ana" };
    if (path === "/api/me/deletion") return new Response(null, { status: 204 });
    return path.startsWith("/api/me/data") ? new Response("content") : null;
  });
  become({ token: "t".repeat(43), name: "Ana" });
  document.body.append(page);
  render(<YourData />, page);
});

afterEach(() => {
  render(null, page);
  become(null);
});

function press(name: string): void {
  const button = [...page.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!button) throw new Error(`there is no button ${name}`);
  button.click();
}

test("it says for how long the server keeps what it deletes by itself", async () => {
  await vi.waitFor(() => expect(page.textContent).toContain("after 183 days"));
  expect(page.textContent).toContain("after 61 days");
  expect(page.textContent).toContain("for 182 days");
});

test("everything is downloaded with one's token", async () => {
  const link = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  URL.createObjectURL = () => "blob:x";
  press("Download my data");
  await vi.waitFor(() => expect(link).toHaveBeenCalledTimes(1));
  expect(asked.find(([path]) => path === "/api/me/data")?.[1].headers).toEqual({
    Authorization: `Bearer ${"t".repeat(43)}`,
  });
  press("Download my matches (PGN)");
  await vi.waitFor(() => expect(link).toHaveBeenCalledTimes(2));
  expect(paths()).toContain("/api/me/data/pgn");
});

test("nothing is deleted before it is confirmed, and the identity goes with it", async () => {
  press("Delete my data");
  await vi.waitFor(() => press("Cancel"));
  expect(paths()).not.toContain("/api/me/deletion");
  expect(identity.value?.name).toBe("Ana");
  press("Delete my data");
  await vi.waitFor(() => press("Delete everything"));
  await vi.waitFor(() => expect(page.textContent).toContain("Your data is being deleted."));
  expect(asked.find(([path]) => path === "/api/me/deletion")?.[1].body).toBe('{"id":"g1"}');
  expect(identity.value).toBeNull();
  expect([...page.querySelectorAll("button")]).toEqual([]);
});

test("who has no identity has nothing to download", async () => {
  become(null);
  await vi.waitFor(() => expect([...page.querySelectorAll("button")]).toEqual([]));
  expect(page.textContent).toContain("In this browser");
});
