// A core that fails while a draft is open: the text can still be changed and saved.

import { render } from "preact";
import { act } from "preact/test-utils";
import { test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { setLanguage } from "../../src/i18n";
import { Desk } from "../../src/studio/desk";
import { OpenDraft } from "../../src/studio/open-draft";
import { SMALL } from "../../src/studio/templates";
import { hasCore } from "../disk-core";
import { install } from "../fake-server";

const trap = vi.hoisted(() => ({ set: false }));
vi.mock("../../src/core/platform", () => import("../disk-core"));
vi.mock("../../../core/compiled/core.js", async (original) => {
  const real = await original<typeof import("../../../core/compiled/core.js")>();
  const layout: typeof real.layout = (...question) => {
    if (trap.set) throw new WebAssembly.RuntimeError("unreachable");
    return real.layout(...question);
  };
  return { ...real, layout };
});
vi.mock("../../src/studio/drafts", async (original) => ({
  ...(await original<object>()),
  draftStore: { save: async () => undefined, onChange: () => () => undefined },
}));

const test = always.skipIf(!hasCore);
beforeAll(async () => {
  install();
  await Promise.all([theCore(), setLanguage("en")]);
});

test("after the core has failed, the text can be changed, undone and saved", async () => {
  const draft = new OpenDraft({ id: "one", text: SMALL, earlier: [], thrown: false, changed: 0 });
  const page = document.createElement("div");
  await act(() => render(<Desk draft={draft} />, page));
  expect(page.querySelector("#studio-tab input")).not.toBeNull();
  trap.set = true;
  const next = SMALL.replace('"My game"', '"Other game"');
  await act(async () => draft.write(next));
  expect(draft.trouble.value).toBe("core");
  expect(page.querySelector("[role=alert]")?.textContent).toContain("The rules engine did not load.");
  expect(page.querySelector("h1")?.textContent).toBe("Other game");
  await act(async () => page.querySelector<HTMLElement>("#tab-text")?.click());
  expect(page.querySelector("textarea")?.value).toBe(next);
  await act(async () => draft.save());
  expect([draft.stored.value.text, draft.saved.value]).toEqual([next, "yes"]);
  await act(async () => draft.undo());
  expect(page.querySelector("textarea")?.value).toBe(SMALL);
  await act(() => render(null, page));
  draft.close();
});
