import { expect, test } from "vitest";
import { press, step } from "../src/keyboard.ts";
import { receive } from "../src/receive.ts";
import type { Change, State } from "../src/state.ts";
import type { Position } from "../src/types.ts";
import { enter, notRead, readAs } from "../src/typing.ts";
import { state } from "./positions.ts";

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

test("a move can be made by keyboard alone", () => {
  const change = keys({ ...state(), focus: "g6" }, "ArrowUp", "Enter", "ArrowUp", " ");
  expect(change[0].made?.move).toBe("g7g8");
});

test("a move can be made by typing squares", () => {
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

test("a move can be entered in coordinates, in capitals too", () => {
  expect(enter(state(), "g7h9")[0].made?.move).toBe("g7h9");
  expect(enter(state(), "C11C12Q")[0].made?.move).toBe("c11c12q");
});

test.each(["Uh9", "c12", "O-O", "a9"])("the host reads %s", (text) => {
  expect(enter(state(), text)).toMatchObject([
    { typed: "", made: null },
    { what: "read", text },
  ]);
});

test("a move that the host has read is played if it is legal", () => {
  expect(readAs(state(), "g7h9")?.[0].made?.move).toBe("g7h9");
  expect(readAs(state(), "a1a2")).toBeNull();
  expect(readAs({ ...state(), seat: null }, "g7h9")).toBeNull();
});

test("typing the square of an own piece selects it without the host", () => {
  expect(enter(state(), "g7")[0].hand).toEqual({ square: "g7" });
});

test("text that is not a move selects a square or is announced as illegal", () => {
  expect(notRead(state(), "a9")[0].focus).toBe("a9");
  expect(notRead(state(), "Ua1")[1]).toEqual({ what: "announce", text: "Ua1 is not a legal move" });
  expect(notRead(state(), "Ua1", "No.")[1]).toEqual({ what: "announce", text: "No." });
});

// What is entered before the legal moves are known waits for them.

const known = state().position as Position;
const unknown = () => state({ position: { ...known, legal: [] }, awaited: known.fen });

test("a move entered before the legal moves are known is played once they are", () => {
  const [waiting, ...effects] = keys(unknown(), ..."g7h9", "Enter");
  expect([waiting.typed, effects]).toEqual(["g7h9", []]);
  const [next] = receive(waiting, { position: { ...known }, awaited: null });
  expect([next.typed, next.made?.move]).toEqual(["", "g7h9"]);
});

test("the host reads a text that has waited", () => {
  const [waiting] = keys(unknown(), ..."Uh9", "Enter");
  expect(receive(waiting, { position: { ...known }, awaited: null })[1]).toEqual({ what: "read", text: "Uh9" });
});

test("a text that has waited is refused if there are no legal moves after all", () => {
  const [waiting] = keys(unknown(), ..."Uh9", "Enter");
  const [next, effect] = receive(waiting, { position: { ...known, legal: [] }, awaited: null });
  expect([next.typed, effect]).toEqual(["", { what: "announce", text: "Uh9 is not a legal move" }]);
});

test("text changed after it was entered has to be entered again", () => {
  const [waiting] = keys(unknown(), ..."g7h9", "Enter", "Backspace");
  const [next] = receive(waiting, { position: { ...known }, awaited: null });
  expect([next.typed, next.made]).toEqual(["g7h", null]);
});

test("text waiting for one position is not entered in another", () => {
  const [waiting] = keys(unknown(), ..."g7h9", "Enter");
  const other = { ...known, fen: known.fen.replace(" w ", " b ") };
  const [next] = receive(waiting, { position: other, awaited: null });
  expect([next.typed, next.entered, next.made]).toEqual(["g7h9", null, null]);
});

test("after a move a text waits for the next position, and stays if the move is taken back", () => {
  const [made] = enter(state(), "g7g8");
  const [waiting, ...effects] = keys(made, ..."f1f2", "Enter");
  expect([waiting.typed, effects]).toEqual(["f1f2", []]);
  const after = { ...known, fen: known.fen.replace("/6U5/", "/12/") };
  expect(receive(waiting, { position: after })[0].made?.move).toBe("f1f2");
  const [back] = receive(waiting, { position: { ...known } });
  expect([back.typed, back.made]).toEqual(["f1f2", null]);
});

test("a piece can be inspected before the legal moves are known", () => {
  expect(enter({ ...unknown(), asks: true }, "g7")[0].inspected?.square).toBe("g7");
});
