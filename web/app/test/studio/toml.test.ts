import { test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { Document } from "../../src/studio/toml";
import { drop, put, putTable, written } from "../../src/studio/toml-edit";
import { hasCore } from "../disk-core";

vi.mock("../../src/core/platform", () => import("../disk-core"));

const test = always.skipIf(!hasCore);
beforeAll(async () => void (await theCore()));

const shipped = import.meta.glob<string>("../../../../games/*.toml", { query: "?raw", import: "default", eager: true });

const TEXT = `# A game, with remarks.

[game]
id = "small" # its id
board = "6x6"
place = { F = "b2", "R'" = "c2" }
story = """
Two lines, \\
joined, with "quotes"
and a third."""

[pieces.K]
name = 'King'
move = "K"   # one step
royal = true

# Soldiers ------

[pieces."R'"]
move = "R"
promotes_to = "Q R"

[[castling]]
right = "K"
king = "f1 i1"

[[castling]]
right = "Q"

[turn]
command = { range = 3, royals = true }

[options.x]
values = ["off", "on"] # two
on.end.quiet = [
  100, # first
  150,
]
`;

test("every kind of value is read", () => {
  const document = new Document(TEXT);
  expect(document.at(["game", "story"])).toBe('Two lines, joined, with "quotes"\nand a third.');
  expect(document.at(["game", "place", "R'"])).toBe("c2");
  expect(document.at(["pieces", "K"])).toEqual({ name: "King", move: "K", royal: true });
  expect(document.at(["pieces", "R'", "promotes_to"])).toBe("Q R");
  expect(document.at(["castling", 1])).toEqual({ right: "Q" });
  expect(document.count(["castling"])).toBe(2);
  expect(document.at(["turn", "command", "range"])).toBe(3);
  expect(document.at(["options", "x", "on", "end", "quiet"])).toEqual([100, 150]);
  expect(document.at(["nothing"])).toBeUndefined();
});

test.each(Object.entries(shipped))("%s is read, and every value can be replaced in place", (_, text) => {
  const document = new Document(text);
  for (const entry of document.entries) {
    const value = document.at(entry.path) ?? "";
    const changed = put(text, entry.path, value);
    expect(new Document(changed).at(entry.path)).toEqual(value);
    expect(changed.slice(0, entry.from)).toBe(text.slice(0, entry.from));
    expect(changed.endsWith(text.slice(entry.to))).toBe(true);
  }
});

test("replacing a value changes nothing else", () => {
  expect(put(TEXT, ["game", "id"], "large")).toBe(TEXT.replace('"small"', '"large"'));
  expect(put(TEXT, ["pieces", "K", "move"], "KN")).toBe(TEXT.replace('"K"   #', '"KN"   #'));
  expect(put(TEXT, ["game", "place", "F"], "a1")).toBe(TEXT.replace('F = "b2"', 'F = "a1"'));
  expect(put(TEXT, ["turn", "command", "range"], 2)).toBe(TEXT.replace("range = 3", "range = 2"));
  expect(put(TEXT, ["castling", 1, "right"], "A")).toBe(TEXT.replace('right = "Q"', 'right = "A"'));
});

test("a new value is added to its table, wherever that is", () => {
  expect(put(TEXT, ["pieces", "K", "value"], 4)).toBe(TEXT.replace("royal = true\n", "royal = true\nvalue = 4\n"));
  expect(put(TEXT, ["castling", 0, "rook"], "j1 h1")).toBe(TEXT.replace('"f1 i1"\n', '"f1 i1"\nrook = "j1 h1"\n'));
  expect(put(TEXT, ["turn", "moves"], 2)).toBe(TEXT.replace("true }\n", "true }\nmoves = 2\n"));
  expect(put(TEXT, ["end", "goal"], "checkmate")).toBe(`${TEXT}\n[end]\ngoal = "checkmate"\n`);
  expect(put(TEXT, ["options", "x", "on", "end", "stalemate"], "loss")).toBe(`${TEXT}on.end.stalemate = "loss"\n`);
  const grown = putTable(TEXT, ["pieces", "N"], { name: "Knight", move: "N" });
  expect(grown).toBe(TEXT.replace('"Q R"\n', '"Q R"\n\n[pieces.N]\nname = "Knight"\nmove = "N"\n'));
  expect(putTable(grown, ["castling", 2], { right: "B" })).toContain('right = "Q"\n\n[[castling]]\nright = "B"\n');
  expect(put("", ["game", "id"], "x")).toBe('[game]\nid = "x"\n');
  expect(put('[game]\nid = "x"', ["game", "name"], "X")).toBe('[game]\nid = "x"\nname = "X"\n');
});

test("dropping a value keeps the comments around it", () => {
  expect(drop(TEXT, ["pieces", "K", "royal"])).toBe(TEXT.replace("royal = true\n", ""));
  expect(drop(TEXT, ["game", "place", "F"])).toBe(TEXT.replace('F = "b2", ', ""));
  const fewer = drop(TEXT, ["pieces", "K"]);
  expect(new Document(fewer).at(["pieces", "K"])).toBeUndefined();
  expect(fewer).toContain('and a third."""\n\n# Soldiers ------\n\n[pieces."R\'"]');
  const one = new Document(drop(TEXT, ["castling", 0]));
  expect([one.count(["castling"]), one.at(["castling", 0, "right"])]).toEqual([1, "Q"]);
  expect(drop(TEXT, ["nothing"])).toBe(TEXT);
});

test("entered texts are escaped", () => {
  for (const text of [
    'a "quoted" \\ text',
    "two\nlines",
    'three """ quotes\n"',
    "\u0007\u007f\t",
    "</script>",
    "\ud800x",
  ]) {
    const there = new Document(put(TEXT, ["game", "name"], text)).at(["game", "name"]);
    expect(there).toBe(text.replace("\ud800", "\ufffd"));
  }
  expect(written({ "a b": [1, true, "x"] })).toBe('{ "a b" = [1, true, "x"] }');
});

test("invalid TOML is reported at its line", () => {
  for (const [text, line] of [
    ["[game", 1],
    ['\n\nx = "a', 3],
    ["x = 1 2", 1],
    ["x", 1],
    ["x = 1\nx = 2", 2],
    [`x = ${"[".repeat(100)}`, 1],
  ] as const) {
    const faults = [expect.objectContaining({ line })];
    expect(() => new Document(text), text).toThrow(expect.objectContaining({ faults: expect.arrayContaining(faults) }));
  }
});

test("places are those of JavaScript's texts", () => {
  const text = '"é" = "\u{1f60a}"\n# \u{1f60a}\n[a]\nb = 1\n';
  expect(put(text, ["a", "b"], 2)).toBe(text.replace("1\n", "2\n"));
});

test("a key cannot change what all objects inherit", () => {
  const strange = new Document("[__proto__]\nx = 1\n[a]\n__proto__ = { y = 2 }\nb.__proto__.z = 3\n");
  expect(strange.at(["a"])).toEqual({ b: {} });
  put("[a]\nb = { c = 1 }\n", ["a", "b", "__proto__", "x"], 1);
  expect(({} as { x?: number }).x).toBeUndefined();
});
