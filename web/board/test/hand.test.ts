import { expect, test } from "vitest";
import { press } from "../src/buttons.ts";
import { canLift, choose, goTo, inspect, letGo, lift, makeMove, putDown, targets } from "../src/hand.ts";
import { press as key } from "../src/keyboard.ts";
import { afterMove, aloneNow, commanded, shownPieces } from "../src/moves.ts";
import { receive } from "../src/receive.ts";
import type { Change, Effect, State } from "../src/state.ts";
import { at, move, position, state } from "./positions.ts";

function after([next]: Change): State {
  return next;
}

function effects([, ...rest]: Change, what: Effect["what"]): Effect[] {
  return rest.filter((effect) => effect.what === what);
}

test("players can pick up only their own pieces, and only on their turn", () => {
  expect(canLift(state(), "g7")).toBe(true);
  expect(canLift(state(), "h9")).toBe(false);
  expect(canLift(state({ seat: null }), "g7")).toBe(false);
  expect(canLift(state({ seat: "both" }), "g7")).toBe(true);
  expect(canLift(state({ still: true }), "g7")).toBe(false);
});

test("two taps make a move, which is shown at once", () => {
  const lifted = after(choose(state(), "g7"));
  expect(targets(lifted)).toEqual(["h9", "g8"]);
  const said = (square: string) => effects(choose(state(), square), "say");
  expect(said("g7")).toEqual([{ what: "say", text: "g7, white Rhinoceros, can go to 2 squares" }]);
  expect(said("f1")).toEqual([{ what: "say", text: "f1, white King, can go to one square" }]);
  const change = choose(lifted, "h9");
  expect(effects(change, "move")).toMatchObject([{ move: { move: "g7h9" } }]);
  const shown = shownPieces(after(change));
  expect([at(shown, "h9"), at(shown, "g7")]).toEqual(["white U", undefined]);
  expect(canLift(after(change), "f1")).toBe(false);
});

test("tapping a square that is not a target cancels, and tapping another own piece picks it up", () => {
  const lifted = after(choose(state(), "g7"));
  expect(after(choose(lifted, "a5")).hand).toBeNull();
  expect(after(choose(lifted, "f1")).hand).toEqual({ square: "f1" });
  expect(after(choose(lifted, "g7")).hand).toBeNull();
});

test("the player chooses a promotion", () => {
  const choosing = after(choose(after(choose(state(), "c11")), "c12"));
  expect(choosing.choice.map((move) => move.promotion)).toEqual(["Q", "U"]);
  expect(choosing.made).toBeNull();
  expect(after(letGo(choosing)).choice).toEqual([]);
});

test("a premoved promotion takes the Queen, or else the first piece that the rules name, and never asks", () => {
  const pawn = lift(waiting(), { square: "c11" });
  const onto = { ...toG8, to: "c12", path: ["c12"], legs: ["c12"] };
  const pieceTypes = state().pieceTypes.map((one) =>
    one.letter === "P" ? { ...one, promotes_to: ["U", "R'", "Q"] } : one,
  );
  const set = { ...after(goTo({ ...after(pawn), premoveReach: [onto] }, "c12")), pieceTypes };
  const promotion = (letter: string | null) => move(`c11c12${letter ?? ""}`, { promotion: letter });
  const made = (...letters: (string | null)[]) => {
    const now = { ...(state().position as NonNullable<State["position"]>), legal: letters.map(promotion) };
    const change = receive(set, { position: now });
    expect(after(change).choice).toEqual([]);
    return after(change).made?.promotion;
  };
  expect(made("U", "R'", "Q")).toBe("Q");
  expect(made("R'", "U")).toBe("U");
  expect(made(null, "R'")).toBe("R'");
});

test("promotions are not asked about if the player has so decided", () => {
  const pushed = choose(after(choose(state({ promotion: "queen" }), "c11")), "c12");
  expect([after(pushed).choice, after(pushed).made?.promotion]).toEqual([[], "Q"]);
  const held = after(choose(after(choose(state({ promotion: "queen", confirm: "always" }), "c11")), "c12"));
  expect(held.held?.promotion).toBe("Q");
});

test("a notice goes when its player moves or picks up another piece, and with the position", () => {
  const told = { ...state(), notice: "The Rhinoceros is pinned." };
  const lifted = after(choose(told, "g7"));
  expect(lifted.notice).toBe("");
  const moved = after(choose({ ...lifted, notice: told.notice }, "g8"));
  expect(moved.notice).toBe("");
  const later = { ...position("5k6/2P9/12/7q4/12/6U5/12/12/12/12/12/5K6 b", []), ply: 1 };
  expect(after(receive(told, { position: later })).notice).toBe("");
  // The host sets the same position again to take back a refused move.
  expect(after(receive(told, { position: { ...(told.position as NonNullable<State["position"]>) } })).notice).toBe(
    told.notice,
  );
});

test("a new object for the same position takes back a refused move", () => {
  const made = after(choose(after(choose(state(), "g7")), "g8"));
  const again = after(receive(made, { position: { ...(made.position as NonNullable<State["position"]>) } }));
  expect(at(shownPieces(again), "g7")).toBe("white U");
});

test("castling, en passant and promotion are shown at once", () => {
  const pieces = position("3k4/8/8/3pP3/8/8/8/4K2R w K - 0 1", []).pieces;
  const castled = afterMove(pieces, move("e1g1", { partner: { from: "h1", to: "f1" } }));
  expect([at(castled, "g1"), at(castled, "f1"), at(castled, "h1")]).toEqual(["white K", "white R", undefined]);
  const passing = afterMove(pieces, move("e5d6", { captured_on: "d5" }));
  expect([at(passing, "d6"), at(passing, "d5")]).toEqual(["white P", undefined]);
  expect(at(afterMove(pieces, move("e5e8q", { promotion: "Q" })), "e8")).toBe("white Q");
});

test("pieces in command are framed only if others are not", () => {
  const at = position("8/8/8/8/8/2N5/8/K6R w - - 0 1", [], { in_command: ["a1", "h1", "c3"], moves_left: 2 });
  expect(commanded(at)).toEqual([]);
  expect(commanded({ ...at, in_command: ["a1", "h1"], moved: ["c3"] })).toEqual([]);
  expect(commanded({ ...at, in_command: ["a1", "c3"] })).toEqual(["a1", "c3"]);
  expect(commanded({ ...at, in_command: null })).toEqual([]);
});

const several = () => {
  const fen = "5k6/12/12/12/12/6U5/12/12/12/12/12/5K6 w - - 0 1";
  const legal = [move("g7g8", { ends_turn: false }), move("f1f2"), move("end")];
  return state({ position: position(fen, legal, { in_command: ["g7", "f1"], moves_left: 2 }) });
};

test("the move that ends a turn of several moves is held until confirmed", () => {
  const held = after(choose(after(choose(several(), "f1")), "f2"));
  expect(held.held?.move).toBe("f1f2");
  expect(at(shownPieces(held), "f2")).toBe("white K");
  expect(canLift(held, "g7")).toBe(false);
  const change = makeMove(held, held.held as NonNullable<State["held"]>);
  expect(effects(change, "move")).toHaveLength(1);
});

test("only Confirm and its key send a held move, and Undo and Escape cancel it", () => {
  const held = after(choose(after(choose(several(), "f1")), "f2"));
  for (const square of ["f2", "f3", "f1"]) {
    expect(effects(choose(held, square), "move")).toHaveLength(0);
    expect(after(choose(held, square)).held).toBe(held.held);
  }
  expect(effects(key({ ...held, focus: "f2" }, " ") ?? [held], "move")).toHaveLength(0);
  for (const change of [press(held, "confirm"), key({ ...held, focus: "a1" }, "Enter") ?? [held]]) {
    expect(effects(change, "move")).toMatchObject([{ move: { move: "f1f2" } }]);
  }
  for (const change of [press(held, "undo"), letGo(held)]) {
    expect(effects(change, "undo")).toHaveLength(0);
    expect(after(change).held).toBeNull();
  }
});

test("the setting decides which moves need confirmation", () => {
  const go = (from: State, piece: string, to: string) => after(choose(after(choose(from, piece)), to));
  expect(go(several(), "g7", "g8").held).toBeNull();
  expect(go({ ...several(), confirm: "never" }, "f1", "f2").made?.move).toBe("f1f2");
  expect(go(state(), "g7", "g8").held).toBeNull();
  expect(go(state({ confirm: "always" }), "g7", "g8").held?.move).toBe("g7g8");
});

test("any piece can be inspected, and the host is asked where it could go", () => {
  const change = inspect(state(), "h9");
  expect(after(change).inspected).toEqual({ square: "h9", reach: null });
  expect(effects(change, "reach")).toEqual([{ what: "reach", square: "h9" }]);
  expect(after(inspect(after(change), "a1")).inspected).toBeNull();
});

test("with the inspect button on, a tap inspects instead of moving", () => {
  const asking = after(press(state(), "inspect"));
  const inspecting = after(choose(asking, "g7"));
  expect([inspecting.hand, inspecting.inspected?.square, inspecting.asks]).toEqual([null, "g7", true]);
  // It goes on until it is turned off, by the button or with Escape.
  const next = after(choose(inspecting, "f1"));
  expect([next.hand, next.inspected?.square]).toEqual([null, "f1"]);
  expect(after(choose(next, "a6"))).toMatchObject({ inspected: null, asks: true });
  expect(after(press(next, "inspect"))).toMatchObject({ inspected: null, asks: false });
  expect(after(letGo(next))).toMatchObject({ inspected: null, asks: false });
});

test("an inspected piece can be shown on an empty board and with the others again", () => {
  const inspecting = after(inspect({ ...state(), asks: true }, "g7"));
  const change = press(inspecting, "alone");
  expect(effects(change, "reach")).toHaveLength(1);
  expect(aloneNow(after(change))?.square).toBe("g7");
  // The next piece is shown so too.
  expect(aloneNow(after(choose(after(change), "f1")))?.square).toBe("f1");
  expect(aloneNow(after(press(after(change), "alone")))).toBeNull();
  expect(after(press(after(change), "inspect")).alone).toBe(false);
});

const waiting = () => {
  const { position: now } = state();
  const next = state();
  return { ...next, position: { ...(now as NonNullable<typeof now>), turn: "black" as const } };
};

const toG8 = { to: "g8", kind: "both" as const, mount: null, path: ["g8"], legs: ["g8"] };

function premoving(): State {
  const change = lift(waiting(), { square: "g7" });
  expect(effects(change, "reach")).toHaveLength(1);
  return after(goTo({ ...after(change), premoveReach: [toG8] }, "g8"));
}

test("a premove is made as soon as it is legal", () => {
  const set = premoving();
  expect(set.premove).toEqual({ from: "g7", to: "g8" });
  const change = receive(set, { position: state().position });
  expect(effects(change, "move")).toMatchObject([{ move: { move: "g7g8" } }]);
  expect(after(change).premove).toBeNull();
});

test("an illegal premove is dropped, and Escape cancels a premove", () => {
  const gone = receive(premoving(), { position: { ...position("12 w", [move("f1f2")]), ply: 3 } });
  expect(effects(gone, "move")).toEqual([]);
  expect(after(gone).premove).toBeNull();
  expect(after(letGo(premoving())).premove).toBeNull();
});

test("a premove is dropped when the position it was made on is gone", () => {
  const set = premoving();
  const now = set.position as NonNullable<typeof set.position>;
  // The opponent's move was made on that position, here or in a turn of several moves.
  const before = now.fen.split(" ")[0] ?? "";
  const later = { ...now, ...position("12 w", [move("g7g8")]), ply: now.ply + 1 };
  const kept = receive(set, { position: { ...later, last_turn: [{ path: ["a1", "a2"], before }] } });
  expect(effects(kept, "move")).toHaveLength(1);
  // A takeback led to an earlier position, from which other moves may have been made since.
  for (const ply of [now.ply - 1, now.ply + 1]) {
    const gone = receive(set, { position: { ...later, ply, last_turn: [{ path: ["a1", "a2"], before: "11 w" }] } });
    expect(effects(gone, "move")).toEqual([]);
    expect([after(gone).premove, effects(gone, "say").at(0)]).toEqual([
      null,
      { what: "say", text: "Premove cancelled" },
    ]);
  }
  // Where a turn is one move, a position tells only how many were made.
  for (const [moves, count] of [
    [1, 1],
    [2, 0],
    [3, 0],
  ] as const) {
    const next = receive(set, { position: { ...later, ply: now.ply + moves, last_turn: [] } });
    expect(effects(next, "move")).toHaveLength(count);
  }
  // Looking at earlier positions changes nothing.
  const looking = receive(set, { seat: null, position: { ...later, ply: 0 } });
  expect(after(looking).premove).toEqual(set.premove);
});

test("without the reach callback there are no premoves", () => {
  expect(canLift({ ...waiting(), knowsReach: false }, "g7")).toBe(false);
  expect(canLift(waiting(), "g7")).toBe(true);
  expect(targets(putDown(waiting()))).toEqual([]);
});

test("the last move is announced to screen readers", () => {
  const now = {
    ...position("5k6/2P9/12/7U4/12/12/12/12/12/12/12/5K6 b", []),
    ply: 1,
    last: ["g7", "h9"],
    check: ["f12"],
  };
  expect(effects(receive(state(), { position: now }), "say")).toEqual([
    { what: "say", text: "white Rhinoceros, g7 to h9, black Queen captured, check" },
  ]);
});

test("no capture is announced for a jump to another position", () => {
  const now = { ...position("12/12/12/12/12/6U5/12/12/12/12/12/5K6 b", []), ply: 9, last: ["g6", "g7"] };
  expect(effects(receive(state(), { position: now }), "say")).toEqual([
    { what: "say", text: "white Rhinoceros, g6 to g7" },
  ]);
});

test("no capture is announced for a step back", () => {
  const before = { ...position("5k6/2P9/12/6q5/12/12/12/12/12/12/12/5K6 w", []), ply: 6, last: ["g6", "g9"] };
  const now = { ...position("5k6/2P9/12/12/12/12/6q5/12/12/12/12/5K6 b", []), ply: 5, last: ["c10", "c11"] };
  expect(effects(receive(receive(state(), { position: before })[0], { position: now }), "say")).toEqual([
    { what: "say", text: "white Pawn, c10 to c11" },
  ]);
});

test("the keyboard focus stays within a smaller board", () => {
  const far = { ...state(), focus: "l12" };
  expect(after(receive(far, { files: 8, ranks: 8 })).focus).toBe("a1");
  expect(after(receive(far, { orientation: "black" })).focus).toBe("l12");
});

test("a host that asks for squares gets every tap, and nothing is picked up", () => {
  const reporting = { ...state(), reportsSquares: true };
  expect(effects(choose(reporting, "g7"), "square")).toEqual([{ what: "square", square: "g7" }]);
  expect(effects(choose(reporting, "a5"), "square")).toEqual([{ what: "square", square: "a5" }]);
  expect([after(choose(reporting, "g7")).hand, canLift(reporting, "g7")]).toEqual([null, false]);
});
