// What a new game starts from, and pieces that many games have.

import { Document } from "./toml";
import { drop, put } from "./toml-edit";

/** A small game that can be played at once. */
export const SMALL = `[game]
id = "my-game"
name = "My game"
board = "6x6"
start = "r2k1r/pppppp/6/6/PPPPPP/R2K1R w - - 0 1"

[pieces.K]
name = "King"
move = "K"
royal = true

[pieces.R]
name = "Rook"
move = "R"

[pieces.P]
name = "Pawn"
move = "fmWfcF"
promotes_to = "R"
`;

/** Returns a copy of a shipped game with an id of its own. */
export function copyOf(source: string, id: string, name: string): string {
  const text = put(source, ["game", "id"], `${id}-copy`);
  const named = put(text, ["game", "name"], name);
  return new Document(named).at(["game", "link"]) === undefined ? named : drop(named, ["game", "link"]);
}

export interface Sample {
  letter: string;
  /** The English name, by which the set has a drawing. */
  name: string;
  move: string;
}

/** Pieces to begin with. */
export const SAMPLES: readonly Sample[] = [
  { letter: "K", name: "King", move: "K" },
  { letter: "Q", name: "Queen", move: "Q" },
  { letter: "R", name: "Rook", move: "R" },
  { letter: "B", name: "Bishop", move: "B" },
  { letter: "N", name: "Knight", move: "N" },
  { letter: "P", name: "Pawn", move: "fmWfcFifmnnD" },
  { letter: "C", name: "Cannon", move: "mRcpR" },
  { letter: "E", name: "Elephant", move: "FA" },
  { letter: "M", name: "Camel", move: "C" },
  { letter: "A", name: "Archbishop", move: "BN" },
  { letter: "H", name: "Marshall", move: "RN" },
  { letter: "G", name: "Gryphon", move: "FyafsF" },
];

/** Returns a letter that a game does not use yet; the first of `wanted` that is free, else any, also with a sign. */
export function freeLetter(wanted: string, taken: readonly string[]): string {
  const letters = [...wanted.toUpperCase(), ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => /[A-Z]/.test(letter));
  const all = [...letters, ...letters.map((letter) => `${letter}'`), ...letters.map((letter) => `${letter}!`)];
  return all.find((letter) => !taken.includes(letter)) ?? "X";
}

/** Parts of a definition that have no form, to be changed in the text. */
export const SNIPPETS: Record<string, string> = {
  setup: `[setup]
groups = [
  { squares = "a1 b1 c1", pieces = "R N B" },
]
`,
  option: `[options.stalemate]
help = "Whether stalemate is a draw or lost."
values = ["draw", "loss"]
set = "end.stalemate"
`,
  zone: `# A piece with within = "palace" cannot leave this zone.
[zones]
palace = "c1-e3"
`,
  jump: `# A King with the right K may jump once; the start needs the rights Kk.
[royal_jump]
to = "DAN"
right = "K"
`,
  points: `[end]
scoring = "four_points"
bare_king = { claim = "N B", never = "Q R P" }
`,
};
