import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerMatch as Match, Past } from "../src/match/match";
import type { ChatLine } from "../src/wire";
import { FakeSocket, install, position, snapshot, update } from "./fake-server";

let match: Match;
const sent = (type: string) => FakeSocket.last.sent.filter((message) => message.type === type);

beforeEach(() => {
  vi.useFakeTimers();
  install();
  match = new Match("m1");
  FakeSocket.last.open().say(snapshot());
});

afterEach(() => {
  match.close();
  vi.useRealTimers();
});

test("connects without an event number and reconnects with the last one", () => {
  expect(sent("hello")[0]?.after).toBe(null);
  FakeSocket.last.say(update(4));
  FakeSocket.last.cut();
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open();
  expect(sent("hello")[0]?.after).toBe(4);
});

test("applies a move once", () => {
  FakeSocket.last.say(update(4));
  FakeSocket.last.say(update(4));
  expect(match.state.value?.moves.map((made) => made.san)).toEqual(["e4"]);
  expect(match.state.value?.position.ply).toBe(1);
});

test("asks for a snapshot if an event is missing", () => {
  FakeSocket.last.say(update(6));
  expect(match.state.value?.number).toBe(3);
  expect(FakeSocket.all).toHaveLength(2);
  FakeSocket.last.open();
  expect(sent("hello")[0]?.after).toBe(null);
});

test("moves that are taken back are removed from the list", () => {
  FakeSocket.last.say(update(4));
  FakeSocket.last.say(update(5, { ply: 2 }));
  FakeSocket.last.say(update(6, { ply: 0, made: null, position: position(0) }));
  expect(match.state.value?.moves).toEqual([]);
  FakeSocket.last.say(update(7, { ply: 1 }));
  expect(match.state.value?.moves.map((made) => made.san)).toEqual(["e4"]);
});

test("asks for a snapshot if moves are missing", () => {
  FakeSocket.last.say(update(4, { ply: 3 }));
  expect(match.state.value?.number).toBe(3);
  expect(FakeSocket.all).toHaveLength(2);
});

test("sends a move with the number of the last event, one at a time", () => {
  match.move("e2e4");
  match.move("d2d4");
  expect(sent("move")).toMatchObject([{ move: "e2e4", number: 3 }]);
});

test("resends a move with the same id after a lost connection", () => {
  match.move("e2e4");
  const first = sent("move")[0];
  FakeSocket.last.cut();
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open();
  expect(sent("move")).toEqual([]);
  FakeSocket.last.say(snapshot());
  expect(sent("move")).toEqual([first]);
});

test("does not resend a move that the server has stored", () => {
  match.move("e2e4");
  FakeSocket.last.cut();
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open().say(snapshot({ number: 4, position: position(1) }));
  expect(sent("move")).toEqual([]);
});

test("keeps a move that was made without a connection", () => {
  FakeSocket.last.cut();
  match.move("e2e4");
  expect(match.sent.value).toBe("e2e4");
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open().say(snapshot());
  expect(sent("move")).toMatchObject([{ move: "e2e4" }]);
});

test("shows why a move was refused and accepts another", () => {
  match.move("e2e5");
  FakeSocket.last.say({
    type: "refused",
    id: String(sent("move")[0]?.id),
    error: { code: "illegal", message: "no", where: null },
  });
  expect(match.refused.value?.message).toBe("no");
  expect(match.sent.value).toBe(null);
  match.move("e2e4");
  expect(match.refused.value).toBe(null);
  expect(sent("move")).toHaveLength(2);
});

test("a refusal goes with the position that it was about", () => {
  const refuse = () => {
    match.move("e2e5");
    const error = { code: "illegal", message: "no", where: null };
    FakeSocket.last.say({ type: "refused", id: String(sent("move").at(-1)?.id), error });
    expect(match.refused.value?.message).toBe("no");
  };
  refuse();
  FakeSocket.last.say(update(4, { ply: 0, made: null, position: null }));
  expect(match.refused.value?.message).toBe("no");
  FakeSocket.last.say(update(5));
  expect(match.refused.value).toBe(null);
  refuse();
  FakeSocket.last.say(snapshot({ number: 6, position: position(2) }));
  expect(match.refused.value).toBe(null);
});

test("an offer that cannot be sent is dropped, with a message", () => {
  FakeSocket.last.cut();
  match.command({ type: "offer", what: "draw" });
  expect(match.refused.value?.code).toBe("offline");
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open().say(snapshot());
  expect(sent("offer")).toEqual([]);
});

test("shows how a match has changed the ratings of its players", () => {
  const rating = (rating: number) => ({ rating, provisional: true });
  const ratings = { white: rating(1662), black: rating(1338), changes: { white: 162, black: -162 } };
  FakeSocket.last.say({ type: "rated", ratings });
  expect(match.state.value?.ratings).toEqual(ratings);
  expect(match.state.value?.moves).toHaveLength(0);
});

test("counts unread chat lines of others", () => {
  const line: ChatLine = { id: 1, by: "black", name: "Bob", text: "<b>hello</b>", at: 0 };
  FakeSocket.last.say({ type: "chat", line });
  FakeSocket.last.say({ type: "chat", line });
  FakeSocket.last.say({ type: "chat", line: { ...line, id: 2, by: "white" } });
  expect(match.unread.value).toBe(1);
  expect(match.state.value?.chat.map((line) => line.text)).toEqual(["<b>hello</b>", "<b>hello</b>"]);
});

test("knows whose turn it is, and that a spectator has none", () => {
  expect(match.acting.value).toBe("white");
  FakeSocket.last.say(update(4));
  expect(match.acting.value).toBe(null);
  FakeSocket.last.say(snapshot({ number: 5, seat: "both", position: position(1) }));
  expect(match.acting.value).toBe("black");
});

test("estimates the server's clock from the quickest answer", () => {
  const now = Date.now();
  FakeSocket.last.say({ type: "pong", at: now - 100, now: now + 950 });
  expect(match.aheadMs.value).toBe(1000);
  FakeSocket.last.say({ type: "pong", at: now - 900, now: now + 500 });
  expect(match.aheadMs.value).toBe(1000);
});

test("notices when this device's clock is changed", () => {
  const now = Date.now();
  FakeSocket.last.say({ type: "pong", at: now - 100, now: now - 50 });
  expect(match.aheadMs.value).toBe(0);
  vi.setSystemTime(now - 60_000);
  FakeSocket.last.say({ type: "pong", at: now - 60_400, now: now - 200 });
  expect(match.aheadMs.value).toBe(60_000);
});

const hint = (id: unknown) => FakeSocket.last.say({ type: "hint", id: String(id), moves: ["e2e4"], san: ["e4"] });

test("shows a hint until the position changes", () => {
  match.askHint();
  expect(match.waitsForHint.value).toBe(true);
  hint(sent("hint")[0]?.id);
  expect([match.waitsForHint.value, match.hint.value?.san]).toEqual([false, ["e4"]]);
  FakeSocket.last.cut();
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open().say(snapshot({ number: 5, position: position(2) }));
  expect(match.hint.value).toBe(null);
});

test("ignores a hint that arrives after the move", () => {
  match.askHint();
  FakeSocket.last.say(update(4));
  expect(match.waitsForHint.value).toBe(false);
  FakeSocket.last.say(update(5, { ply: 2, position: position(2) }));
  match.askHint();
  hint(sent("hint")[0]?.id);
  expect([match.waitsForHint.value, match.hint.value]).toEqual([true, null]);
});

test("stops waiting for a hint when the connection is lost, not when something else is refused", () => {
  match.askHint();
  const error = { code: "too_late", message: "no", where: null };
  FakeSocket.last.say({ type: "refused", id: "other", error });
  expect(match.waitsForHint.value).toBe(true);
  FakeSocket.last.cut();
  vi.advanceTimersByTime(1000);
  FakeSocket.last.open().say(snapshot());
  expect(match.waitsForHint.value).toBe(false);
});

test("reports a match that does not exist", async () => {
  match.close();
  const problem = { code: "not_found", message: "there is no match m9", where: null };
  install(() => new Response(JSON.stringify(problem), { status: 404 }));
  match = new Match("m9");
  await vi.runAllTimersAsync();
  expect(match.gone.value?.message).toBe("there is no match m9");
});

test("fetches every earlier position once", async () => {
  let requests = 0;
  install((path) => (path === "/api/position" ? position(++requests) : null));
  const past = new Past();
  const state = snapshot({ moves: [{ move: "e2e4", san: "e4", side: "white", turn: 1, spent_ms: 0 }] });
  const signal = new AbortController().signal;
  expect(await past.at(state, 1, signal)).toBe(await past.at(state, 1, signal));
  expect(requests).toBe(1);
});
