import { expect, test } from "vitest";
import { choose, inspect, lift, put, targets } from "../src/hand.ts";
import { aloneNow, shownPieces } from "../src/moves.ts";
import { receive } from "../src/receive.ts";
import { arrange, nameOf, place, toFill, tray, withArrangement } from "../src/setup.ts";
import type { SetupPhase } from "../src/types.ts";
import { at, position, state } from "./positions.ts";

/** Maasai's: the King only on the two squares in the middle. */
const phase: SetupPhase = {
  count: 288,
  groups: [
    { squares: ["e12", "f12", "g12", "h12"], mirror: ["e1", "f1", "g1", "h1"], pieces: ["U", "F", "D", "O"], only: {} },
    {
      squares: ["e11", "f11", "g11", "h11"],
      mirror: ["e2", "f2", "g2", "h2"],
      pieces: ["K", "Q", "G", "L"],
      only: { K: ["f11", "g11"] },
    },
  ],
};
const group = phase.groups[1] as SetupPhase["groups"][number];

test("names and arrangements convert into each other", () => {
  const arranged = arrange(phase, "UFDO-QKGL");
  expect(arranged).toMatchObject({ e12: "U", h12: "O", e11: "Q", f11: "K" });
  expect(nameOf(phase, arranged)).toBe("UFDO-QKGL");
  expect(nameOf(phase, { ...arranged, e12: "" })).toBeNull();
});

test("a group named with other pieces is left empty", () => {
  expect(arrange(phase, "")).toEqual({});
  expect(arrange(phase, "UUUU-QKGL")).toEqual({ e11: "Q", f11: "K", g11: "G", h11: "L" });
});

test("a symbol of two characters is one piece", () => {
  const small: SetupPhase = {
    count: 2,
    groups: [{ squares: ["a3", "b3"], mirror: ["a1", "b1"], pieces: ["R'", "W!"], only: {} }],
  };
  expect(nameOf(small, arrange(small, "W!R'"))).toBe("W!R'");
});

test("the tray holds the pieces that are not on the board", () => {
  expect(tray(group, {})).toEqual(["K", "Q", "G", "L"]);
  expect(tray(group, { e11: "Q", f11: "K" })).toEqual(["G", "L"]);
});

test("pieces swap if each can stand on the other's square", () => {
  const arranged = arrange(phase, "UFDO-QKGL");
  expect(place(phase, arranged, "G", "g11", "f11")).toMatchObject({ f11: "G", g11: "K" });
});

test("a displaced piece that cannot swap goes to the tray", () => {
  const moved = place(phase, arrange(phase, "UFDO-QKGL"), "Q", "e11", "f11");
  expect(moved.f11).toBe("Q");
  expect(moved.e11).toBeUndefined();
  expect(tray(group, moved)).toEqual(["K"]);
});

test("White's pieces mirror Black's, and fixed pieces stay", () => {
  const fixed = position("4uu6/12/12/12/12/12/12/12/12/12/12/R3UU6 w", []).pieces;
  const shown = withArrangement(fixed, phase, { e12: "D" });
  expect([at(shown, "a1"), at(shown, "e12"), at(shown, "e1"), at(shown, "f1")]).toEqual([
    "white R",
    "black D",
    "white D",
    undefined,
  ]);
});

const choosing = (name = "") =>
  state({ setup: { phase, name, number: null, problem: null, last: null, mine: true }, seat: "black" });

test("a piece from the tray goes only to allowed squares", () => {
  const [king] = lift(choosing(), { tray: "K", group: 1 });
  expect(targets(king)).toEqual(["f11", "g11"]);
  const change = choose(king, "f11");
  expect(change).toMatchObject([{ hand: null }, { what: "arrange", name: null }]);
  expect(at(shownPieces(change[0]), "f2")).toBe("white K");
});

test("a square where the piece in hand may not stand is refused with the reason, and the piece stays in hand", () => {
  const [king] = lift(choosing(), { tray: "K", group: 1 });
  const why = { what: "announce", text: "King: only on f11, g11" };
  for (const square of ["e11", "e12", "a12", "f2"]) {
    const [next, ...effects] = choose(king, square);
    expect([next.hand, next.arrangement, effects]).toEqual([king.hand, king.arrangement, [why]]);
  }
  const [queen] = choose(choosing("UFDO-QKGL"), "e11");
  expect(choose(queen, "e12")[0].hand).toEqual({ square: "e12" });
  expect(choose(queen, "a11")).toMatchObject([
    { hand: queen.hand },
    { what: "announce", text: "Queen: only on e11, f11, g11, h11" },
  ]);
  expect(choose(queen, "e11")[0].hand).toBeNull();
});

test("the squares that are still free are marked before a piece is picked up", () => {
  expect(toFill(phase, {})).toEqual([...(phase.groups[0]?.squares ?? []), ...group.squares]);
  expect(toFill(phase, arrange(phase, "UUUU-QKGL"))).toEqual(phase.groups[0]?.squares);
  expect(toFill(phase, arrange(phase, "UFDO-QKGL"))).toEqual([]);
  // The King, the last piece, may stand on two squares only.
  const { f11, ...kingless } = arrange(phase, "UFDO-QKGL");
  expect([f11, toFill(phase, kingless)]).toEqual(["K", ["f11"]]);
  const { e11, ...rest } = arrange(phase, "UFDO-KQGL");
  expect(toFill(phase, rest)).toEqual([]);
});

test("the last piece completes the name, and returning one to the tray clears it", () => {
  const [next] = choose(choosing("UFDO-QKGL"), "g11");
  expect(choose(next, "h11")).toMatchObject([{}, { what: "arrange", name: "UFDO-QKLG" }]);
  expect(put(next, null)).toMatchObject([{ hand: null }, { what: "arrange", name: null }]);
});

test("a number from the host does not change the player's arrangement", () => {
  const [next] = choose(choose(choosing("UFDO-QKGL"), "g11")[0], "h11");
  const setup = next.setup as NonNullable<typeof next.setup>;
  expect(receive(next, { setup: { ...setup, number: 250 } })[0].arrangement.h11).toBe("G");
  expect(receive(next, { setup: { ...setup, name: "OFDU-QKGL" } })[0].arrangement.h11).toBe("L");
});

test("a player who does not choose the setup cannot arrange it", () => {
  const setup = { phase, name: "UFDO-QKGL", number: null, problem: null, last: null, mine: false };
  expect(choose(state({ setup }), "g11")[0].hand).toBeNull();
});

test("pieces can be inspected on an empty board while the setup is chosen", () => {
  const arranged = choosing("UFDO-QKGL");
  const [inspecting, effect] = inspect(arranged, "f2");
  expect(effect).toEqual({ what: "reach", square: "f2" });
  expect(aloneNow(inspecting)).toEqual({ square: "f2", letter: "K", side: "white" });
  expect(inspect(choosing(), "f2")[0].inspected).toBeNull();
  // A piece of the tray is placed, not asked about.
  const [king] = lift({ ...inspecting, asks: true }, { tray: "K", group: 1 });
  expect(choose(king, "f11")[0].arrangement.f11).toBe("K");
});
