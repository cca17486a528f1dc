import { createRef, render } from "preact";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { setLanguage } from "../src/i18n";
import { ServerMatch as Match } from "../src/match/match";
import { Status } from "../src/match/status";
import type { Game, MoveMade, Position, Snapshot } from "../src/wire";
import { FakeSocket, install, legalMove, position, snapshot, update } from "./fake-server";

let match: Match;
const page = document.createElement("div");
const sent = (type: string) => FakeSocket.last.sent.filter((message) => message.type === type);

beforeAll(() => setLanguage("en"));

beforeEach(() => {
  install();
  match = new Match("m1");
});

afterEach(() => {
  render(null, page);
  match.close();
});

function show(changes: Partial<Snapshot>, shown: Position | null = null): void {
  FakeSocket.last.open().say(snapshot(changes));
  const state = match.state.value as Snapshot;
  render(
    <Status
      match={match}
      state={state}
      game={{ name: "Magi" } as Game}
      shown={shown}
      back={() => undefined}
      dock={createRef()}
    />,
    page,
  );
}

function press(text: string): void {
  const button = [...page.querySelectorAll("button")].find((one) => one.textContent === text);
  if (!button) throw new Error(`no button ${text} in ${page.textContent}`);
  button.click();
}

test("special moves are buttons, except the end of a turn, which the board offers", () => {
  show({ position: position(0, { legal: [legalMove("claim"), legalMove("playon"), legalMove("end")] }) });
  expect([...page.querySelectorAll("button")].map((one) => one.textContent)).toEqual(["Claim the win", "Play on"]);
  press("Claim the win");
  expect(sent("move")).toMatchObject([{ move: "claim" }]);
});

test("the choice against a bare King is explained, and the decision stays visible", () => {
  show({ position: position(0, { legal: [legalMove("claim"), legalMove("playon")] }) });
  expect(page.textContent).toContain("Claim a 3–1 win now, or play on for 4–0");
  const made = { move: "playon", san: "playon", side: "white" as const, turn: 40, spent_ms: 0 };
  show({ number: 4, moves: [made], position: position(1) });
  expect(page.textContent).toContain("White plays on for 4–0");
  expect(page.textContent).not.toContain("Claim a 3–1 win");
});

test("an earlier position is named after the move that led to it", () => {
  const made = (side: "white" | "black") => ({ move: "e2e4", san: "e4", side, turn: 1, spent_ms: 0 });
  const moves = [made("white"), made("black")];
  show({ moves, position: position(2) }, position(1));
  expect(page.textContent).toContain("After move 1 (White)");
  show({ moves, position: position(2), number: 4 }, position(0));
  expect(page.textContent).toContain("Starting position");
});

test("only the other side can answer an offer", () => {
  show({ offers: [{ what: "draw", by: "black", moves: null }] });
  press("Accept");
  expect(sent("answer")).toMatchObject([{ what: "draw", accept: true }]);
  show({ number: 4, offers: [{ what: "draw", by: "white", moves: null }] });
  expect(page.textContent).toContain("You offered a draw.");
  expect(page.querySelectorAll("button")).toHaveLength(0);
});

test("a rematch is offered without a word about setups, which many games do not have", () => {
  show({ phase: "over", offers: [{ what: "rematch", by: "black", moves: null }] });
  expect(page.textContent).toContain("wants a rematch, swapping sides.");
  expect(page.textContent).not.toContain("setup");
});

test("a declined offer is announced to its sender until something else happens", () => {
  const offers = [{ what: "draw", by: "white", moves: null }] as const;
  show({ seat: "white", offers: [...offers] });
  FakeSocket.last.say(update(4, { ply: 0, made: null, position: null }));
  show({ seat: "white", number: 4 });
  expect(page.textContent).toContain("declined the draw.");
  show({ seat: "black", number: 4 });
  expect(page.textContent).not.toContain("declined");
  FakeSocket.last.say(update(5));
  show({ seat: "white", number: 5, moves: [update(5).made as MoveMade] });
  expect(page.textContent).not.toContain("declined");
});

test("an offer that lapses with a move is not reported as declined", () => {
  show({ seat: "white", offers: [{ what: "draw", by: "white", moves: null }] });
  FakeSocket.last.say(update(4));
  expect(match.declined.value).toBe(null);
});

test("a win can be claimed once the opponent has been gone long enough", async () => {
  const gone = (wait: number) => ({ white: true, black: false, watchers: 0, left_claim_at: Date.now() + wait });
  show({ number: 5 });
  FakeSocket.last.say({ type: "presence", ...gone(60_000) });
  await vi.waitFor(() => expect(page.textContent).toMatch(/You can claim the win in (60|[3-5]\d) s/));
  expect(page.querySelectorAll("button")).toHaveLength(0);
  FakeSocket.last.say({ type: "presence", ...gone(-1) });
  await vi.waitFor(() => press("Claim the win"));
  expect(sent("claim")).toMatchObject([{ what: "left" }]);
});

test("markup in a name is shown as text", () => {
  const black = {
    name: "<img src=x onerror=alert(1)>",
    kind: "guest" as const,
    level: null,
    profile: null,
    online: true,
    house: null,
    seen: null,
  };
  const { white } = snapshot().players;
  show({ players: { white, black }, position: position(1) });
  expect(page.querySelector("img")).toBe(null);
  expect(page.textContent).toContain("<img src=x onerror=alert(1)> to move");
});
