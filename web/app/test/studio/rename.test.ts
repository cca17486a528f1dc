import { test as always, beforeAll, expect, vi } from "vitest";
import { check } from "../../../core/compiled/core.js";
import { type Choices, Game, partsOf } from "../../../core/src/game.ts";
import { theCore } from "../../src/core";
import { renamed, renamedTexts } from "../../src/studio/rename";
import { Document } from "../../src/studio/toml";
import { put } from "../../src/studio/toml-edit";
import { hasCore } from "../disk-core";

vi.mock("../../src/core/platform", () => import("../disk-core"));

const test = always.skipIf(!hasCore);
beforeAll(async () => void (await theCore()));

const shipped = import.meta.glob<string>("../../../../games/*.toml", { query: "?raw", import: "default", eager: true });

/** A game with a letter in every key that can have one; `key` is the letter as a key. */
const everywhere = (letter: string, key = `"${letter}"`) => `[game]
id = "everywhere"
board = "6x6"
start = "${letter.toLowerCase()}nqk1${letter.toLowerCase()}/pppppp/6/6/PPPPPP/${letter}NQK1${letter} w Rr - 0 1"
place.${key} = "e1"
story = "R is the Rook."

[pieces]
P.move = "fmWfcF"
P.promotes_to = "N${letter},Q"
${key}.move = "R" # R moves so
${key}.promotes_to = "Q"
N = { move = "N", promotion = [{ to = "${letter} Q", at = "last rank" }] }

[pieces.K]
move = "K"
royal = true

[pieces.Q]
move = "Q"

[pieces.${key}.value]
R = 5

[[pieces.${key}.from]]
squares = "a1"
move = "A"
right = "R"

[end]
scoring = "four_points"
bare_king = { claim = "${letter} N", never = "Q" }

[[setup.groups]]
squares = "a1 b1 c1"
pieces = "${letter}NQ"
[setup.groups.only]
${key} = "a1 b1"

[[setup.groups]]
squares = "e1 f1"
pieces = "${letter} ${letter}"

[options.R]
values = ["off", "on"]
on.game.place = { N = "b1", ${key} = "e1 a1" }
on.setup.groups = [{ squares = "a1 b1", pieces = "${letter} N", only = { ${key} = "a1" } }]
on.end.bare_king.never = "${letter} Q"

[options.R.on.pieces.${key}]
move = "RF"

[options.claim]
default = "${letter}"
values = ["N", "${letter}", "N${letter}"]
set = "end.bare_king.claim"

[options.worth]
values = [5, 6]
set = "pieces.${letter}.value.R"
`;

const conditions = (letter: string) => `[game]
extends = "chess"
id = "conditions"
[end]
conditions = [{ extinct = "${letter} N" }, { reach = "e8", pieces = "${letter}" }, { extinct = "all" }]
`;

/** What the game is with each value of each option. */
const games = (text: string, letter: string) =>
  ([{}, { R: "on" }, { claim: "N" }, { claim: `N${letter}` }, { worth: 6 }] as Choices[]).map((options) => {
    const { rulesHash, pieces } = new Game(partsOf({ text }, { options }), {});
    return { rulesHash, pieces };
  });

test("a letter is exchanged in conditions, where four points leave no place for them", () => {
  expect(check(conditions("R"), "game.toml")).toEqual([]);
  expect(renamed(conditions("R"), "R", "T")).toEqual(conditions("T"));
});

test("a letter is exchanged in every key that can have one", () => {
  const [before, after] = [everywhere("R", "R"), everywhere("T")];
  expect(check(before, "game.toml")).toEqual([]);
  const changed = renamed(before, "R", "T");
  expect(new Document(changed).at([])).toEqual(new Document(after).at([]));
  expect(games(changed, "T")).toEqual(games(after, "T"));
  // Every option changes the game.
  expect(new Set(games(changed, "T").map((game) => JSON.stringify(game))).size).toBe(5);
  expect(changed).toContain('T.move = "R" # R moves so\n');
  expect(changed).toContain('place.T = "e1"\nstory = "R is the Rook."');
});

test.each(Object.entries(shipped))("every letter of %s can be exchanged, and back", (_, shippedText) => {
  const text = put(shippedText, ["game", "id"], "renamed");
  const all = Object.keys(new Document(text).at(["pieces"]) ?? {});
  const letters = all.filter((letter) => letter.length === 1 && !all.includes(`${letter}!`));
  const other = letters.reduce((before, letter) => renamed(before, letter, `${letter}!`), text);
  // What a game inherits has its old letters.
  if (new Document(text).at(["game", "extends"]) === undefined) expect(check(other, "game.toml")).toEqual([]);
  const back = letters.reduce((before, letter) => renamed(before, `${letter}!`, letter), other);
  expect(new Document(back).at([])).toEqual(new Document(text).at([]));
});

test("a translation follows the letter, unless it cannot be read", () => {
  const text = everywhere("R");
  const french = '[pieces.R]\nname = "Tour"\n';
  expect(renamedTexts({ text, french }, "R", "T").french).toBe('[pieces.T]\nname = "Tour"\n');
  expect(renamedTexts({ text, french: "[" }, "R", "T").french).toBe("[");
});
