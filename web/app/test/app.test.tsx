import { render } from "preact";
import { beforeAll, expect, test, vi } from "vitest";
import { App } from "../src/app";
import { setLanguage } from "../src/i18n";
import { install } from "./fake-server";

vi.mock("../src/pages/about", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

beforeAll(() => setLanguage("en"));

test("a page that cannot be loaded says so", async () => {
  install();
  history.pushState(null, "", "/about");
  const page = document.createElement("div");
  render(<App />, page);
  await vi.waitFor(() => expect(page.querySelector("main [role=alert] button")?.textContent).toContain("Try again"));
  render(null, page);
});
