// Just enough of a server for unit tests: sockets that a test opens, feeds and cuts, and answers to requests.

import { vi } from "vitest";
import type { FromServer, LegalMove, Position, Snapshot, Update } from "../src/wire";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("no client has connected");
    return last;
  }

  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  open(): this {
    this.readyState = 1;
    this.onopen?.();
    return this;
  }

  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  cut(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }
}

export function install(answer: (path: string, options: RequestInit) => unknown = () => null): void {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (path: string, options: RequestInit = {}) => {
    const body = await answer(path, options);
    if (body instanceof Response) return body;
    if (body === null) throw new TypeError("no network");
    return new Response(JSON.stringify(body), { status: 200 });
  });
}

export function position(ply = 0, changes: Partial<Position> = {}): Position {
  return {
    fen: `fen ${ply}`,
    turn: ply % 2 ? "black" : "white",
    ply,
    pieces: [],
    turn_moves: [],
    moves_left: 1,
    moved: [],
    in_command: null,
    commanders: [],
    last_turn: [],
    check: [],
    legal: [],
    last: [],
    claimable: [],
    ...changes,
  };
}

export function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  const player = {
    name: "Ann",
    kind: "guest" as const,
    level: null,
    online: true,
    profile: null,
    house: null,
    seen: null,
  };
  return {
    type: "snapshot",
    match: "m1",
    number: 3,
    game: {
      game: "chess",
      options: {},
      name: "Chess",
      rules_hash: "h",
      outdated: false,
      draw_limits: { threefold_repetition: 3 },
    },
    phase: "play",
    opponent: "friend",
    seat: "white",
    players: { white: player, black: { ...player, name: "Bob" } },
    time: { kind: "none" },
    clock: null,
    setup: null,
    start_fen: "fen 0",
    from_position: false,
    moves: [],
    position: position(),
    offers: [],
    ending: null,
    rematch: null,
    series: null,
    chat: [],
    hints: false,
    rated: false,
    tournament: null,
    side: "random",
    ratings: null,
    watchers: 0,
    may: ["move"],
    ...changes,
  };
}

export function update(number: number, changes: Partial<Update> = {}): Update {
  return {
    type: "update",
    number,
    ply: 1,
    made: { move: "e2e4", san: "e4", side: "white", turn: 1, spent_ms: 0 },
    position: position(1),
    clock: null,
    phase: "play",
    offers: [],
    ending: null,
    rematch: null,
    series: null,
    may: [],
    ...changes,
  };
}

/** A legal move; without squares unless some are given. */
export const legalMove = (move: string, from: string | null = null, to: string | null = null): LegalMove => ({
  move,
  from,
  to,
  promotion: null,
  reach: null,
  kind: "move",
  captured_on: null,
  partner: null,
  check: false,
  ends_turn: true,
});
