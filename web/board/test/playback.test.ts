import { expect, test } from "vitest";
import { press } from "../src/buttons.ts";
import { commandersInHand, lift } from "../src/hand.ts";
import { shownPieces } from "../src/moves.ts";
import { advanced, canPlayBack, shownMoves } from "../src/playback.ts";
import { receive } from "../src/receive.ts";
import { initialState, type State } from "../src/state.ts";
import type { Position, TurnMove } from "../src/types.ts";
import { at, move, position } from "./positions.ts";

/** Black's turn on 4x4: two Men advance, and the Chieftain captures. */
const MOVES: TurnMove[] = [
  { path: ["a4", "a3"], before: "m1mc/4/4/C2M" },
  { path: ["c4", "c3"], before: "2mc/m3/4/C2M" },
  { path: ["d4", "d3", "d2", "d1"], before: "3c/m1m1/4/C2M" },
];
const MIDWAY = ["2mc/m3/4/C2M b", "3c/m1m1/4/C2M b", "4/m1m1/4/C2c w"];

function after(moves: number, more: Partial<Position> = {}): Position {
  const over = moves === MOVES.length;
  return position(MIDWAY[moves - 1] ?? "m1mc/4/4/C2M b", over ? [move("a1a2")] : [], {
    ply: 4 + moves,
    in_command: [],
    turn_moves: over ? [] : MOVES.slice(0, moves).map(({ path }) => `${path[0]}${path.at(-1)}`),
    last_turn: MOVES.slice(0, moves),
    ...more,
  });
}

function watching(more: Parameters<typeof initialState>[0] = {}): State {
  return initialState({ files: 4, ranks: 4, seat: "white", paced: true, position: after(0), ...more }, true);
}

test("a turn that arrives all at once is played back move by move", () => {
  let [state] = receive(watching(), { position: after(3) });
  expect([state.playback, shownMoves(state)]).toEqual([0, []]);
  expect(at(shownPieces(state), "a4")).toBe("black M");
  state = advanced(state);
  expect([state.playback, shownMoves(state)]).toEqual([1, [["a4", "a3"]]]);
  expect([at(shownPieces(state), "a3"), at(shownPieces(state), "c4")]).toEqual(["black M", "black M"]);
  state = advanced(advanced(state));
  expect([state.playback, shownMoves(state).length]).toEqual([null, 3]);
  expect(at(shownPieces(state), "d1")).toBe("black C");
});

test("moves that arrive during playback wait for those before them", () => {
  const [first] = receive(watching(), { position: after(1) });
  expect(first.playback).toBe(0);
  const [second] = receive(advanced(first), { position: after(2) });
  expect(second.playback).toBe(1);
  const [third] = receive(second, { position: after(3) });
  expect([third.playback, shownMoves(third)]).toEqual([1, [["a4", "a3"]]]);
});

test("own moves and steps back are not played back, nor is anything when playback is off", () => {
  for (const settings of [{ seat: "black" }, { seat: "both" }, { paced: false }] as const) {
    expect(receive(watching(settings), { position: after(3) })[0].playback).toBeNull();
  }
  expect(receive(watching({ position: after(3) }), { position: after(2) })[0].playback).toBeNull();
  const made = { ...watching({ seat: null }), made: move("d4d1") };
  expect(receive(made, { position: after(3) })[0].playback).toBeNull();
});

test("a premove that is made ends the playback", () => {
  const premove = { from: "a1", to: "a2" };
  const [state] = receive({ ...watching(), premove, premovedOn: after(0) }, { position: after(3) });
  expect([(state.made ?? state.held)?.move, state.playback]).toEqual(["a1a2", null]);
});

test("the opponent's moves stay marked until the player moves, then the player's own are", () => {
  const state = watching({ position: after(3) });
  expect(shownMoves(state)).toEqual(MOVES.map(({ path }) => path));
  expect(shownMoves({ ...state, made: move("a1a2") })).toEqual([["a1", "a2"]]);
  const own = watching({ seat: "black", position: after(1) });
  expect(shownMoves({ ...own, held: move("c4c3") })).toEqual([
    ["a4", "a3"],
    ["c4", "c3"],
  ]);
});

test("with one move per turn the last move is marked", () => {
  const state = watching({ position: after(0, { in_command: null, last: ["b1", "b3"] }) });
  expect(shownMoves(state)).toEqual([["b1", "b3"]]);
  expect(canPlayBack(state)).toBe(false);
});

test("a turn can be replayed, and the same button skips the replay", () => {
  const state = watching({ position: after(3) });
  expect(canPlayBack(state)).toBe(true);
  const [playing] = press(state, "playback");
  expect(playing.playback).toBe(0);
  expect(press(playing, "playback")[0].playback).toBeNull();
  expect(canPlayBack(watching({ seat: "black", position: after(2) }))).toBe(false);
  expect(canPlayBack(watching({ seat: null, position: after(2) }))).toBe(true);
});

test("a piece in hand shows who can command it, and one without moves is explained", () => {
  const commanders = [{ square: "a1", by: ["a1"] }];
  const [state, ...effects] = lift(watching({ position: after(3, { commanders }) }), { square: "a1" });
  expect([commandersInHand(state), effects.some(({ what }) => what === "explain")]).toEqual([["a1"], false]);
  const [idle, ...more] = lift(watching({ position: after(3, { legal: [move("d1d2")], commanders }) }), {
    square: "a1",
  });
  expect(idle.hand).toEqual({ square: "a1" });
  expect(more).toContainEqual({ what: "explain", square: "a1" });
});
