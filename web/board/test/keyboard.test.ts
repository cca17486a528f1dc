import { expect, test } from "vitest";
import { press, step } from "../src/keyboard.ts";
import type { Change, State } from "../src/state.ts";
import { enter, moveMeant } from "../src/typing.ts";
import { move, position, state } from "./positions.ts";

const facing = { files: 12, ranks: 12, orientation: "white" as const };

function keys(from: State, ...pressed: string[]): Change {
  let change: Change = [from];
  for (const key of pressed) change = press(change[0], key) ?? [change[0]];
  return change;
}

test("arrow keys follow the orientation, and stop at the edge", () => {
  expect(step("c3", "ArrowRight", facing)).toBe("d3");
  expect(step("c3", "ArrowUp", facing)).toBe("c4");
  expect(step("c3", "ArrowUp", { ...facing, orientation: "black" })).toBe("c2");
  expect(step("a1", "ArrowLeft", facing)).toBe("a1");
  expect(step("c3", "End", facing)).toBe("l3");
  expect(step("c3", "PageUp", facing)).toBe("c12");
  expect(step("c3", "x", facing)).toBeNull();
});

test("a move is made by keys alone", () => {
  const change = keys({ ...state(), focus: "g6" }, "ArrowUp", "Enter", "ArrowUp", " ");
  expect(change[0].made?.move).toBe("g7g8");
});

test("a move is made by typed squares", () => {
  expect(keys(state(), "g", "7", "Enter", "g", "8", "Enter")[0].made?.move).toBe("g7g8");
});

test("Escape deletes what was typed, then puts the piece down", () => {
  const typed = keys({ ...state(), focus: "g7" }, "Enter", "g", "8")[0];
  expect(typed.typed).toBe("g8");
  const once = keys(typed, "Escape")[0];
  expect([once.typed, once.hand]).toEqual(["", { square: "g7" }]);
  expect(keys(once, "Escape")[0].hand).toBeNull();
});

test("Backspace deletes a character, and at most twelve can be typed", () => {
  expect(keys(state(), "g", "7", "Backspace")[0].typed).toBe("g");
  expect(keys(state(), ..."abcdefghijklmnop")[0].typed).toBe("abcdefghijkl");
});

test("the question mark toggles the inspection of the focused square", () => {
  const inspecting = keys({ ...state(), focus: "h9" }, "?")[0];
  expect(inspecting.inspected?.square).toBe("h9");
  expect(keys(inspecting, "?")[0].inspected).toBeNull();
});

test("other keys are left to the page", () => {
  expect(press(state(), "Tab")).toBeNull();
  expect(press(state(), "F5")).toBeNull();
});

test.each([
  ["g7h9", "g7h9"],
  ["Uh9", "g7h9"],
  ["Uxh9", "g7h9"],
  ["Ugxh9+", "g7h9"],
  ["U7g8", "g7g8"],
  ["Kf2", "f1f2"],
  ["c12=Q", "c11c12q"],
  ["c11c12=Q", "c11c12q"],
  ["c12U", "c11c12u"],
])("%s means %s", (text, meant) => {
  expect(moveMeant(text, state())?.move).toBe(meant);
});

test.each(["c12", "Qh9", "Uz9", "U", "", "O-O", "Ua1"])("%s means no move", (text) => {
  expect(moveMeant(text, state())).toBeNull();
});

test("an ambiguous text makes no move", () => {
  const fen = "5k6/12/12/12/12/6U5/12/6U5/12/12/12/5K6 w - - 0 1";
  const two = state({ position: position(fen, [move("g7g6"), move("g5g6")]) });
  expect(moveMeant("Ug6", two)).toBeNull();
  expect(moveMeant("U7g6", two)?.move).toBe("g7g6");
});

test("a Pawn needs no letter, but the square of the player's own piece selects it", () => {
  const fen = "5k6/12/12/12/12/12/12/4P7/12/12/12/5K6 w - - 0 1";
  const pawn = state({ position: position(fen, [move("e5e6"), move("f1e1")]) });
  expect(enter(pawn, "e6")[0].made?.move).toBe("e5e6");
  expect(enter(pawn, "e5")[0].hand).toEqual({ square: "e5" });
  expect(enter(pawn, "a9")[0].focus).toBe("a9");
});

test("other texts are left to the host", () => {
  expect(enter(state(), "O-O")).toMatchObject([{ typed: "" }, { what: "type", text: "O-O" }]);
});
