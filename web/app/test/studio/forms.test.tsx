// Forms write what people type, and say what they refuse.

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { setLanguage } from "../../src/i18n";
import { OpenDraft } from "../../src/studio/open-draft";
import { PiecesForm } from "../../src/studio/pieces-form";
import { RulesForm } from "../../src/studio/rules-form";
import { SMALL } from "../../src/studio/templates";
import { Document } from "../../src/studio/toml";
import { hasCore } from "../disk-core";
import { install } from "../fake-server";

vi.mock("../../src/core/platform", () => import("../disk-core"));
vi.mock("../../src/studio/drafts", async (original) => ({
  ...(await original<object>()),
  draftStore: { save: async () => undefined, onChange: () => () => undefined },
}));

const test = always.skipIf(!hasCore);
beforeAll(async () => {
  install();
  await Promise.all([theCore(), setLanguage("en")]);
});

const page = document.createElement("div");
let draft: OpenDraft;

async function open(text: string, Form: typeof RulesForm | typeof PiecesForm): Promise<void> {
  draft = new OpenDraft({ id: "one", text, french: "", earlier: [], thrown: false, changed: 0 });
  await act(() => render(<Form draft={draft} place={() => undefined} />, page));
}

afterEach(() => {
  render(null, page);
  draft.close();
});

async function type(field: HTMLInputElement | null | undefined, value: string): Promise<void> {
  await act(async () => {
    if (!field) throw new Error("no such field");
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

const said = (path: (string | number)[]) => new Document(draft.text.value).at(path);

test("a group of setups may be longer than the format allows, for the core to refuse", async () => {
  await open(`${SMALL}[setup]\ngroups = [{ squares = "a1 d1", pieces = "R K", other = 1 }]\n`, RulesForm);
  const squares = "a1 b1 c1 d1 e1 f1 a2 b2 c2";
  await type(page.querySelector<HTMLInputElement>(".studio-group input"), squares);
  expect(said(["setup", "groups"])).toEqual([{ squares, pieces: "R K R P P P", other: 1 }]);
});

test("a change to one group keeps all others, whatever they are", async () => {
  const groups = [...Array.from({ length: 200 }, () => ({ squares: "b2", pieces: "P" })), "no table"];
  await open(`${SMALL}[setup]\ngroups = [${'{ squares = "b2", pieces = "P" }, '.repeat(200)}"no table"]\n`, RulesForm);
  await type(page.querySelector<HTMLInputElement>(".studio-group input"), "a1");
  expect(said(["setup", "groups"])).toEqual([{ squares: "a1", pieces: "R" }, ...groups.slice(1)]);
});

test("numbers are written as they are typed", async () => {
  await open(SMALL, RulesForm);
  await type(page.querySelectorAll<HTMLInputElement>("fieldset input[type=number]")[3], "10000");
  expect(said(["end", "quiet"])).toEqual([100, 10000]);
});

test("a letter that is refused stays in its field, with the reason", async () => {
  await open(SMALL, PiecesForm);
  const letter = () => page.querySelector<HTMLInputElement>("#studio-letter");
  const refusal = () => page.querySelector("[role=alert]")?.textContent;
  expect(letter()?.value).toBe("R");
  await type(letter(), "k");
  expect([letter()?.value, refusal()]).toEqual(["k", "King already has the letter K."]);
  await type(letter(), "7");
  expect([letter()?.value, refusal()]).toEqual(["7", "Use a letter from A to Z, alone or followed by ' or !."]);
  expect(draft.text.value).toBe(SMALL);
  await type(letter(), "t!");
  expect([letter()?.value, refusal()]).toEqual(["T!", undefined]);
  expect(said(["pieces", "P", "promotes_to"])).toBe("T!");
  // The reason does not follow to another piece.
  await type(letter(), "k");
  await act(async () => page.querySelector<HTMLElement>(".studio-kinds button")?.click());
  expect([letter()?.value, refusal()]).toEqual(["K", undefined]);
});
