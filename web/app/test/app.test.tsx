import { render } from "preact";
import { beforeAll, expect, test, vi } from "vitest";
import { App } from "../src/app";
import { setLanguage } from "../src/i18n";
import { install } from "./fake-server";

const fail = vi.hoisted(() => () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});
vi.mock("../src/pages/about", fail);
vi.mock("../src/local/local-match", fail);

beforeAll(() => setLanguage("en"));

test("a part that fails to load shows an error with a button to reload the page", async () => {
  install();
  const page = document.createElement("div");
  render(<App />, page);
  expect(page.querySelector("[role=alert]")).toBeNull();
  dispatchEvent(new Event("vite:preloadError"));
  await vi.waitFor(() => expect(page.querySelector("[role=alert] button")?.textContent).toContain("Reload"));
  render(null, page);
});

test.each(["/about", "/match/local-1"])("%s shows an error if it fails to load", async (path) => {
  install();
  history.pushState(null, "", path);
  const page = document.createElement("div");
  render(<App />, page);
  await vi.waitFor(() => expect(page.querySelector("main [role=alert] button")?.textContent).toContain("Try again"));
  render(null, page);
});
