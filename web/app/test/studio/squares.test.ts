// The forms' idea of lists of squares, compared with the core's. Without the compiled core only ours is tested.

// @ts-expect-error The app itself knows no Node.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSquares, writeSquares } from "../../src/studio/squares";

const { dirname } = import.meta as unknown as { dirname: string };
const COMPILED = `${dirname}/../../../core/compiled`;
const SIZE = { files: 5, ranks: 6 };

test.each([
  ["a1 c3", "a1 c3"],
  ["a1,c3,\n a1", "a1 c3"],
  ["b2-c3", "b2 c2 b3 c3"],
  ["rank 2", "a2 b2 c2 d2 e2"],
  ["ranks 1-2", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"],
  ["file d", "d1 d2 d3 d4 d5 d6"],
  ["files d-e a1", "d1 e1 d2 e2 d3 e3 d4 e4 d5 e5 d6 e6 a1"],
  ["last rank b1", "a6 b6 c6 d6 e6 b1"],
  ["", ""],
])("%j is read as %j", (text, squares) => {
  expect(readSquares(text, SIZE).join(" ")).toBe(squares);
  expect(readSquares("all", SIZE).length).toBe(30);
});

test("invalid squares are left out", () => {
  for (const text of [
    "f1",
    "a7",
    "a0",
    "c3-a1",
    "rank",
    "rank 7",
    "file ff",
    "files e-a",
    "last",
    "last file",
    "é",
    "a1-",
    "-",
    "a1-b2-c3x",
  ]) {
    expect(
      readSquares(text, SIZE).every((square) => /^[a-e][1-6]$/.test(square)),
      text,
    ).toBe(true);
  }
  expect(readSquares("f1 a7 c3-a1 rank 7 file ff", SIZE)).toEqual([]);
});

test("squares are written as a block if they form one", () => {
  expect(writeSquares(readSquares("b2-d3", SIZE))).toBe("b2-d3");
  expect(writeSquares(["c3", "a1"])).toBe("c3 a1");
  expect(writeSquares(["a1", "b1", "c2"])).toBe("a1 b1 c2");
  expect(writeSquares([])).toBe("");
});

test.skipIf(!existsSync(`${COMPILED}/core.js`))("lists mean the same as in the core", async () => {
  const core = await import("../../../core/compiled/core.js");
  core.initSync({ module: readFileSync(`${COMPILED}/core_bg.wasm`) });
  const near = [0, 1, 2, 3, 4, 5];
  const anywhere = near.flatMap((x) => near.slice(x).map((y) => (x + y > 0 ? `(${x},${y})` : ""))).join("");
  for (const text of ["a1 c3", "b2-c3", "rank 2", "ranks 1-2 d4", "file d", "files d-e,a1", "last rank b1", "all"]) {
    const squares = readSquares(text, SIZE);
    const [at = "a1"] = squares;
    const rows = Array.from({ length: 6 }, (_, row) => (6 - row === Number(at[1]) ? at.charCodeAt(0) - 97 : -1));
    const fen = rows.map((file) => (file < 0 ? "5" : `${file || ""}X${4 - file || ""}`)).join("/");
    const game = new core.Game(
      `[game]\nid = "x"\nboard = "5x6"\nstart = "4k/5/5/5/5/K4"\n[zones]\nz = ${JSON.stringify(text)}\n` +
        `[pieces.K]\nmove = "K"\nroyal = true\n[pieces.X]\nwithin = "z"\nmove = "${anywhere}"\n`,
      "x.toml",
      [],
      "en",
      undefined,
      false,
    );
    const board = new core.Board(game, `${fen} w - - 0 1`, true);
    const reached = (JSON.parse(board.reach(at)) as { to: string }[]).map(({ to }) => to);
    expect([...reached, at].sort(), text).toEqual([...squares].sort());
    board.free();
    game.free();
  }
});
