import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test, vi } from "vitest";
import { setLanguage } from "../../src/i18n";
import { OpenDraft } from "../../src/studio/open-draft";
import { Start } from "../../src/studio/start";
import { SMALL } from "../../src/studio/templates";
import { install } from "../fake-server";

let loaded: (core: null) => void = () => undefined;
const core = new Promise((done) => {
  loaded = done;
});
vi.mock("../../src/core", () => ({ theCore: () => core, loadedCore: () => null }));

test("without the core no board is shown, and it is waited for until it cannot be loaded", async () => {
  install();
  await setLanguage("en");
  const draft = new OpenDraft({ id: "one", text: SMALL, earlier: [], thrown: false, changed: 0 });
  const page = document.createElement("div");
  await act(() => render(<Start draft={draft} />, page));
  expect(page.textContent).toBe("Loading…");
  await act(async () => loaded(null));
  expect(page.innerHTML).toBe("<div></div>");
  render(null, page);
  draft.close();
});
