import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { setLanguage } from "../src/i18n";
import { OpeningTree } from "../src/parts/openings";
import type { Game, Opening } from "../src/wire";
import { install, position } from "./fake-server";

const page = document.createElement("div");
const game = { id: "chess", files: 8, ranks: 8, pieces: [], setup: null } as unknown as Game;
const opening: Opening = { move: "e2e4", san: "e4", results: { white: 1, draws: 0, black: 0 } } as Opening;

beforeAll(() => setLanguage("en"));
afterEach(() => render(null, page));

test("a double click on a move plays it once", async () => {
  const asked: string[][] = [];
  install((path, { body }) => {
    if (path !== "/api/position") return { setups: false, moves: [opening] };
    asked.push(JSON.parse(String(body)).moves);
    return position(asked.length);
  });
  const settle = () => act(() => new Promise<void>((done) => setTimeout(done, 20)));
  act(() => render(<OpeningTree game={game} whose="public" />, page));
  const move = await vi.waitFor(async () => {
    await settle();
    const [found] = page.querySelectorAll<HTMLButtonElement>("td button");
    if (!found) throw new Error("no move yet");
    return found;
  });
  act(() => move.click());
  act(() => move.click());
  await vi.waitFor(() => expect(asked.at(-1)).toEqual(["e2e4"]));
  await settle();
  expect(asked.at(-1)).toEqual(["e2e4"]);
});
