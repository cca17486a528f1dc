import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Socket } from "../src/client";
import { FakeSocket, install } from "./fake-server";

const heard: unknown[] = [];
let socket: Socket<{ type: string }, { type: string; heard?: number }>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  install();
  heard.length = 0;
  socket = new Socket("ws://here/", {
    hello: () => ({ type: "hello", heard: heard.length }),
    ping: () => ({ type: "ping" }),
    receive: (message) => heard.push(message),
  });
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("says hello on every connection", () => {
  FakeSocket.last.open().say({ type: "pong", at: 0, now: 0 });
  FakeSocket.last.cut();
  vi.advanceTimersByTime(500);
  FakeSocket.last.open();
  expect(FakeSocket.all.map((one) => one.sent)).toEqual([[{ type: "hello", heard: 0 }], [{ type: "hello", heard: 1 }]]);
});

test("waits longer after each failure, and no longer after a success", () => {
  for (const pause of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = FakeSocket.all.length;
    FakeSocket.last.cut();
    expect(socket.standing.value).toBe("lost");
    vi.advanceTimersByTime(pause - 1);
    expect(FakeSocket.all.length).toBe(before);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all.length).toBe(before + 1);
  }
  FakeSocket.last.open().say({ type: "pong", at: 0, now: 0 });
  FakeSocket.last.cut();
  vi.advanceTimersByTime(500);
  expect(socket.standing.value).toBe("connecting");
});

test("does not reconnect after a final refusal", () => {
  FakeSocket.last.open().cut(4404);
  vi.advanceTimersByTime(100_000);
  expect([socket.standing.value, FakeSocket.all.length]).toEqual(["closed", 1]);
});

test("gives up a connection that has gone quiet", () => {
  FakeSocket.last.open();
  vi.advanceTimersByTime(45_000);
  expect(socket.standing.value).toBe("lost");
  expect(FakeSocket.all[0]?.sent.filter((message) => message.type === "ping")).toHaveLength(2);
});

test("sends nothing without a connection, and returns false", () => {
  expect(socket.send({ type: "move" })).toBe(false);
  FakeSocket.last.open();
  expect(socket.send({ type: "move" })).toBe(true);
});

test("notices when the network goes offline and comes back", () => {
  FakeSocket.last.open();
  dispatchEvent(new Event("offline"));
  expect(socket.standing.value).toBe("lost");
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
});

test("keeps the connection of a hidden page whose timers run once a minute", () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  vi.spyOn(globalThis, "setInterval").mockImplementation((beat) => {
    const slow = () => {
      (beat as () => void)();
      setTimeout(slow, 60_000);
    };
    return setTimeout(slow, 60_000);
  });
  socket.reconnect();
  const { last } = FakeSocket;
  last.open();
  for (let minute = 0; minute < 3; minute++) {
    vi.advanceTimersByTime(60_000);
    last.say({ type: "pong", at: 0, now: 0 });
  }
  expect(socket.standing.value).toBe("open");
  vi.advanceTimersByTime(120_000);
  expect(socket.standing.value).not.toBe("open");
  hidden.mockRestore();
});

test("does not reconnect once it is closed", () => {
  socket.close();
  socket.reconnect();
  expect([socket.standing.value, FakeSocket.all.length]).toEqual(["closed", 1]);
});
