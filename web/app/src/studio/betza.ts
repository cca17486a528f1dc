// A piece's move as what can be clicked on a diagram: leaps, slides, lame leaps and hops. Reads and writes Betza notation;
// what has no place on the diagram, such as moves of several legs, is kept as it was written. What a move means is for
// the core to say, which the diagram asks: see `docs/format.md`.

/** A step: files to the right and ranks forward. */
export type Step = readonly [x: number, y: number];

export type How = "leap" | "lame" | "hop" | "land";

/** The moves of one atom that are alike. */
export interface Part {
  atom: string;
  /** The steps, as bits in the order of `stepsOf`. */
  steps: number;
  /** How many steps at most; `ANY` without a limit. */
  range: number;
  how: How;
  moves: boolean;
  captures: boolean;
  /** Only from the starting squares. */
  first: boolean;
  /** Captures also en passant. */
  passing: boolean;
  /** A lame move that can be captured en passant on the squares that it passed. */
  track: boolean;
}

/** A part, or a piece of notation that is kept as it is. */
export type Item = Part | string;

export const ANY = 0;

/** The atoms with the size of their leap, the smaller number first. */
const ATOMS: Record<string, Step> = {
  W: [0, 1],
  F: [1, 1],
  D: [0, 2],
  N: [1, 2],
  A: [2, 2],
  H: [0, 3],
  C: [1, 3],
  Z: [2, 3],
  G: [3, 3],
};
/** Letters for two atoms, or for a slide. */
const SHORT: Record<string, { atoms: string[]; slides: boolean }> = {
  K: { atoms: ["W", "F"], slides: false },
  R: { atoms: ["W"], slides: true },
  B: { atoms: ["F"], slides: true },
  Q: { atoms: ["W", "F"], slides: true },
};
/** The longest leap of the notation, in squares along a side. */
const FARTHEST = 15;

/** Returns the size of an atom's leap: that of a letter, or of two distances such as `(1,4)`. */
function sizeOf(atom: string): Step {
  const [, small, large] = /^\((\d+),(\d+)\)$/.exec(atom) ?? [];
  return ATOMS[atom] ?? [Number(small ?? 0), Number(large ?? 1)];
}

/** Whether a leap can be lame: what it passes is a straight line, or it is a Knight's. */
function canBeLame(atom: string): boolean {
  const [small, large] = sizeOf(atom);
  return atom === "N" || (large > 1 && (small === 0 || small === large));
}

/** Returns the steps of an atom, clockwise from straight ahead. */
export function stepsOf(atom: string): Step[] {
  const [small, large] = sizeOf(atom);
  const found = new Map<string, Step>();
  for (const [x, y] of [
    [small, large],
    [large, small],
  ] as const) {
    for (const [sx, sy] of SIGNS) found.set(String([x * sx + 0, y * sy + 0]), [x * sx + 0, y * sy + 0]);
  }
  return [...found.values()];
}

const SIGNS: readonly Step[] = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];

/** Whether a step is among the directions that letters name; the core's own rule, which a test compares with the core. */
export function wants(letters: string, [x, y]: Step): boolean {
  if (!letters) return true;
  const orthogonal = x === 0 || y === 0;
  const oblique = !orthogonal && Math.abs(x) !== Math.abs(y);
  const narrow = Math.abs(y) > Math.abs(x);
  const side = (letter: string): boolean => ({ f: y > 0, b: y < 0, l: x < 0, r: x > 0, s: x !== 0 })[letter] ?? y !== 0;
  let wanted = false;
  for (let at = 0; at < letters.length; ) {
    const [first = "", second = "", third = ""] = letters.slice(at, at + 3);
    const along = first === "f" || first === "b";
    const across = first === "l" || first === "r";
    const pair =
      (((along && /[lr]/.test(second)) || (across && /[fb]/.test(second)) || (along && second === "s")) &&
        !orthogonal) ||
      ((along || across) && first === second && oblique);
    if (!pair) {
      wanted ||= oblique && first === "s" ? !narrow : oblique && first === "v" ? narrow : side(first);
      at++;
    } else if (first === second) {
      const more = (along ? /[lr]/ : /[fb]/).test(third);
      wanted ||= side(first) && (along ? narrow : !narrow) && (!more || side(third));
      at += more ? 3 : 2;
    } else {
      wanted ||= second === "s" ? side(first) && (!oblique || !narrow) : side(first) && side(second);
      at += 2;
    }
  }
  return wanted;
}

function maskOf(atom: string, letters: string): number {
  return stepsOf(atom).reduce((mask, step, bit) => (wants(letters, step) ? mask | (1 << bit) : mask), 0);
}

function everyStep(atom: string): number {
  return (1 << stepsOf(atom).length) - 1;
}

/** Reads notation. What is wrong in it stays as text, where the core finds it. */
export function read(text: string): Item[] {
  const items: Item[] = [];
  let rest = text;
  while (rest) {
    const found = /^(?:\[[^\]]*\]?|([a-z]*)([A-Z]|\(\d\d?,\d\d?\))((?<=[A-Z])\2|\d*))/.exec(rest);
    if (!found) {
      items.push(rest);
      break;
    }
    const [whole, modifiers = "", letter = "", range = ""] = found;
    // Doubled letters are rides, but for those that slide already.
    const doubled = range === letter && letter !== "";
    const used = doubled && letter in SHORT ? whole.slice(0, -1) : whole;
    const parts = letter
      ? partsOf(modifiers, letter, doubled && !(letter in SHORT) ? "0" : doubled ? "" : range)
      : null;
    if (parts) for (const part of parts) add(items, part);
    else items.push(used);
    rest = rest.slice(used.length);
  }
  return items;
}

function partsOf(modifiers: string, letter: string, range: string): Part[] | null {
  const short = SHORT[letter];
  const written = letter.startsWith("(") ? atomOf(sizeOf(letter)) : letter in ATOMS ? letter : null;
  const atoms = short?.atoms ?? (written ? [written] : null);
  if (!atoms || !/^[fblrsvmceinpg]*$/.test(modifiers)) return null;
  const has = (sign: string) => modifiers.includes(sign);
  const lame = modifiers.split("n").length - 1;
  if (Number(has("p")) + Number(has("g")) + Math.min(lame, 1) > 1 || lame > 2 || Number(range) > 15) return null;
  const letters = modifiers.replace(/[^fblrsv]/g, "");
  const captures = has("c") || has("e");
  return atoms.map((atom) => ({
    atom,
    steps: maskOf(atom, letters),
    range: range ? Number(range) : short?.slides ? ANY : 1,
    how: has("p") ? "hop" : has("g") ? "land" : lame ? "lame" : "leap",
    moves: has("m") || !captures,
    captures: captures || !has("m"),
    first: has("i"),
    passing: has("e"),
    track: lame === 2,
  }));
}

/** Whether two parts differ only in their steps. */
function alike(one: Part, other: Part): boolean {
  return (Object.keys(one) as (keyof Part)[]).every((key) => key === "steps" || one[key] === other[key]);
}

function add(items: Item[], part: Part): void {
  const same = items.find((item): item is Part => typeof item !== "string" && alike(item, part));
  if (same) same.steps |= part.steps;
  else items.push({ ...part });
}

/** Writes notation, as short as it can be. */
export function write(items: readonly Item[]): string {
  const left = [...items];
  let text = "";
  for (let item = left.shift(); item !== undefined; item = left.shift()) {
    if (typeof item === "string") {
      text += item;
      continue;
    }
    const part = item;
    const partner = left.findIndex(
      (other) =>
        typeof other !== "string" &&
        part.steps === everyStep(part.atom) &&
        other.steps === everyStep(other.atom) &&
        ((part.atom === "W" && other.atom === "F") || (part.atom === "F" && other.atom === "W")) &&
        alike({ ...part, atom: other.atom }, other),
    );
    if (partner >= 0) left.splice(partner, 1);
    text += partner >= 0 ? writePart(part, part.range === 1 ? "K" : "Q") : writePart(part);
  }
  return text;
}

function writePart(part: Part, both?: "K" | "Q"): string {
  const { atom, range, how, moves, captures, first, passing, track } = part;
  const slide = { W: "R", F: "B" }[atom];
  const letter = both ?? (range !== 1 && slide ? slide : atom);
  const ride = letter in SHORT ? "" : letter in ATOMS ? letter : "0";
  const far = range === 1 ? "" : range !== ANY ? String(range) : ride;
  const mode = moves && captures ? (passing ? "mc" : "") : moves ? "m" : "c";
  const signs = { leap: "", lame: track ? "nn" : "n", hop: "p", land: "g" }[how];
  return lettersFor(atom, part.steps)
    .map((letters) => `${first ? "i" : ""}${letters}${mode}${passing ? "e" : ""}${signs}${letter}${far}`)
    .join("");
}

const known = new Map<string, Map<number, string>>();

/** Returns the shortest direction letters for each set of steps of an atom. */
function lettersOf(atom: string): Map<number, string> {
  const found = known.get(atom) ?? new Map<number, string>([[everyStep(atom), ""]]);
  if (!known.has(atom)) {
    let texts = [""];
    for (let length = 1; length <= 4; length++) {
      texts = texts.flatMap((text) => [..."fblrsv"].map((letter) => text + letter));
      for (const text of texts) {
        const mask = maskOf(atom, text);
        if (!found.has(mask)) found.set(mask, text);
      }
    }
    known.set(atom, found);
  }
  return found;
}

/** Returns direction letters whose steps together are those given. */
function lettersFor(atom: string, steps: number): string[] {
  const all = lettersOf(atom);
  const whole = all.get(steps);
  if (whole !== undefined) return [whole];
  const bits = (mask: number) => mask.toString(2).replaceAll("0", "").length;
  const inside = [...all.keys()].filter((mask) => mask > 0 && (mask & ~steps) === 0);
  const largest = inside.sort((a, b) => bits(b) - bits(a))[0] ?? 0;
  return largest ? [all.get(largest) ?? "", ...lettersFor(atom, steps & ~largest)] : [];
}

/** What a click on the diagram adds. */
export interface Brush {
  how: "leap" | "slide" | "lame" | "hop" | "land";
  /** Whether a slide goes any distance or as far as the square that was clicked. */
  far: "any" | "here";
  does: "both" | "move" | "capture";
  /** The same in all directions, left and right, or this square alone. */
  alike: "all" | "sides" | "one";
  first: boolean;
}

/** Returns the longest leap, in squares along a side; a step or a slide is 1. */
export function longest(items: readonly Item[]): number {
  return Math.max(0, ...items.map((item) => (typeof item === "string" ? 0 : sizeOf(item.atom)[1])));
}

/** Returns the items after a click on the square at a step from the piece; `null` if no lame leap goes there. */
export function tapped(items: readonly Item[], [x, y]: Step, brush: Brush): Item[] | null {
  const slides = brush.how !== "leap" && brush.how !== "lame";
  const steps = slides ? divisor(Math.abs(x), Math.abs(y)) : 1;
  const step: Step = [x / steps, y / steps];
  const atom = atomOf(step);
  if (!atom || (brush.how === "lame" && !canBeLame(atom))) return null;
  const part: Part = {
    atom,
    steps: spread(atom, step, brush.alike),
    range: brush.how === "slide" && brush.far === "here" ? steps : slides ? ANY : 1,
    how: brush.how === "slide" ? "leap" : brush.how,
    moves: brush.does !== "capture",
    captures: brush.does !== "move",
    first: brush.first,
    passing: false,
    track: false,
  };
  const same = items.find((item): item is Part => typeof item !== "string" && alike(item, part));
  const takesBack = same !== undefined && (same.steps & part.steps) === part.steps;
  const next: Item[] = items.map((item) => (typeof item === "string" ? item : { ...item }));
  for (const item of next) {
    if (typeof item !== "string" && (takesBack ? alike(item, part) : replaced(item, part))) item.steps &= ~part.steps;
  }
  if (!takesBack) add(next, part);
  return next.filter((item) => typeof item === "string" || item.steps > 0);
}

/** Whether a new part takes the place of an old one: the same kind of move, for the same purpose. */
function replaced(old: Part, part: Part): boolean {
  const over = (how: How) => how === "hop" || how === "land";
  const purpose = (old.moves && part.moves) || (old.captures && part.captures);
  return old.atom === part.atom && over(old.how) === over(part.how) && old.first === part.first && purpose;
}

function atomOf([x, y]: Step): string | null {
  const [small = 0, large = 0] = [Math.abs(x), Math.abs(y)].sort((a, b) => a - b);
  if (large === 0 || large > FARTHEST) return null;
  const letter = Object.keys(ATOMS).find((atom) => ATOMS[atom]?.[0] === small && ATOMS[atom]?.[1] === large);
  return letter ?? `(${small},${large})`;
}

function spread(atom: string, [x, y]: Step, how: Brush["alike"]): number {
  if (how === "all") return everyStep(atom);
  return stepsOf(atom).reduce((mask, [dx, dy], bit) => {
    const hit = dy === y && (dx === x || (how === "sides" && dx === -x));
    return hit ? mask | (1 << bit) : mask;
  }, 0);
}

function divisor(a: number, b: number): number {
  return b === 0 ? Math.max(a, 1) : divisor(b, a % b);
}
