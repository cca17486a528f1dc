import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { ServerMatch } from "../src/match/match";
import { useSteps } from "../src/match/table";
import type { MoveMade, Snapshot } from "../src/wire";
import { FakeSocket, install, position, snapshot } from "./fake-server";

const page = document.createElement("div");
const made = (move: string): MoveMade => ({ move, san: move, side: "white", turn: 1, spent_ms: 0 });
const state = snapshot({ moves: [made("a"), made("b"), made("c")], position: position(3) });
let match: ServerMatch;
let steps: ReturnType<typeof useSteps>;

/** Answers to requests for positions, by the number of moves; each waits until it is called. */
const answers = new Map<number, (works: boolean) => void>();

function begin(): void {
  install();
  vi.stubGlobal("fetch", (_: string, { body, signal }: RequestInit) => {
    const moves: string[] = body ? JSON.parse(String(body)).moves : [];
    return new Promise<Response>((done, failed) => {
      signal?.addEventListener("abort", () => failed(new DOMException("", "AbortError")));
      answers.set(moves.length, (works) =>
        done(new Response(JSON.stringify(position(moves.length)), { status: works ? 200 : 503 })),
      );
    });
  });
  match = new ServerMatch("m1");
  FakeSocket.last.open().say(state);
  const Steps = () => {
    steps = useSteps(match, match.state.value as Snapshot);
    return null;
  };
  act(() => render(<Steps />, page));
}

async function answer(moves: number, works = true): Promise<void> {
  await act(async () => {
    answers.get(moves)?.(works);
    await new Promise((done) => setTimeout(done));
  });
}

afterEach(() => {
  render(null, page);
  match.close();
  answers.clear();
});

test("two quick steps back go back two positions", async () => {
  begin();
  steps.step(-1);
  steps.step(-1);
  await answer(1);
  expect(steps.shown?.ply).toBe(1);
  steps.step(1);
  await answer(2);
  expect(steps.shown?.ply).toBe(2);
});

test("a position that fails to load leads back to the current one", async () => {
  begin();
  steps.goTo(1);
  await answer(1);
  steps.goTo(2);
  await answer(2, false);
  expect(steps.shown).toBe(null);
  steps.step(-2);
  await answer(1);
  expect(steps.shown?.ply).toBe(1);
});
