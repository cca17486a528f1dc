// A piece's move as what can be clicked on a diagram: leaps, slides, lame leaps and hops. Reads and writes Betza notation;
// what has no place on the diagram, such as moves of several legs, is kept as it was written. What a move means is for
// the core to say: see `docs/format.md`.

import { loadedCore } from "../core";

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

/** The atoms with a letter. */
const ATOMS = [..."WFDNAHCZG"];
/** Letters for two atoms, or for a slide. */
const SHORT: Record<string, { atoms: string[]; slides: boolean }> = {
  K: { atoms: ["W", "F"], slides: false },
  R: { atoms: ["W"], slides: true },
  B: { atoms: ["F"], slides: true },
  Q: { atoms: ["W", "F"], slides: true },
};

/** Returns the steps of an atom, clockwise from straight ahead, or those of a move; none if the core cannot read it. */
export function stepsOf(notation: string): Step[] {
  const numbers = loadedCore()?.editing.firstSteps(notation) ?? [];
  return Array.from({ length: numbers.length / 2 }, (_, at) => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0]);
}

/** Returns how far a step goes, the smaller number first. */
function sizeOf([x, y]: Step): Step {
  const [one, other] = [Math.abs(x), Math.abs(y)];
  return one < other ? [one, other] : [other, one];
}

/** Returns which of the steps of an atom a move has. */
function maskOf(steps: readonly Step[], notation: string): number {
  const wanted = new Set(stepsOf(notation).map(String));
  return steps.reduce((mask, step, bit) => (wanted.has(String(step)) ? mask | (1 << bit) : mask), 0);
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
    const isPart = letter !== "" && /^[fblrsvmceinpg]*$/.test(modifiers) && stepsOf(used).length > 0;
    const far = !doubled ? range : letter in SHORT ? "" : "0";
    if (isPart) for (const part of partsOf(modifiers, letter, far)) add(items, part);
    else items.push(used);
    rest = rest.slice(used.length);
  }
  return items;
}

function partsOf(modifiers: string, letter: string, range: string): Part[] {
  const atoms = SHORT[letter]?.atoms ?? [atomOf(stepsOf(letter)[0] ?? [0, 0]) ?? letter];
  const has = (sign: string) => modifiers.includes(sign);
  const letters = modifiers.replace(/[^fblrsv]/g, "");
  const captures = has("c") || has("e");
  return atoms.map((atom) => ({
    atom,
    steps: maskOf(stepsOf(atom), letters + atom),
    range: range ? Number(range) : SHORT[letter]?.slides ? ANY : 1,
    how: has("p") ? "hop" : has("g") ? "land" : has("n") ? "lame" : "leap",
    moves: has("m") || !captures,
    captures: captures || !has("m"),
    first: has("i"),
    passing: has("e"),
    track: /n.*n/.test(modifiers),
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
  const ride = letter in SHORT ? "" : ATOMS.includes(letter) ? letter : "0";
  const far = range === 1 ? "" : range !== ANY ? String(range) : ride;
  const mode = moves && captures ? (passing ? "mc" : "") : moves ? "m" : "c";
  const signs = { leap: "", lame: track ? "nn" : "n", hop: "p", land: "g" }[how];
  return lettersFor(atom, part.steps)
    .map((letters) => `${first ? "i" : ""}${letters}${mode}${passing ? "e" : ""}${signs}${letter}${far}`)
    .join("");
}

/** Direction letters of an atom, the shortest for each set of steps; `tried` are the longest that were looked at. */
interface Letters {
  found: Map<number, string>;
  tried: string[];
}

const known = new Map<string, Letters>();
const MOST_LETTERS = 4;

/** Returns direction letters of an atom: only as many as a set of steps needs, since each asks the core. */
function lettersOf(atom: string, wanted: number): Map<number, string> {
  const steps = stepsOf(atom);
  if (steps.length === 0) return new Map();
  const letters = known.get(atom) ?? { found: new Map([[everyStep(atom), ""]]), tried: [""] };
  known.set(atom, letters);
  while (!letters.found.has(wanted) && letters.tried[0]?.length !== MOST_LETTERS) {
    letters.tried = letters.tried.flatMap((text) => [..."fblrsv"].map((letter) => text + letter));
    for (const text of letters.tried) {
      const mask = maskOf(steps, text + atom);
      if (!letters.found.has(mask)) letters.found.set(mask, text);
    }
  }
  return letters.found;
}

/** Returns direction letters whose steps together are those given. */
function lettersFor(atom: string, steps: number): string[] {
  const all = lettersOf(atom, steps);
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
  return Math.max(
    0,
    ...items.map((item) => (typeof item === "string" ? 0 : sizeOf(stepsOf(item.atom)[0] ?? [0, 0])[1])),
  );
}

/** Returns the items after a click on the square at a step from the piece; `null` if no lame leap goes there. */
export function tapped(items: readonly Item[], [x, y]: Step, brush: Brush): Item[] | null {
  const slides = brush.how !== "leap" && brush.how !== "lame";
  const steps = slides ? divisor(Math.abs(x), Math.abs(y)) : 1;
  const step: Step = [x / steps, y / steps];
  const atom = atomOf(step);
  if (!atom || (brush.how === "lame" && stepsOf(`n${atom}`).length === 0)) return null;
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

function atomOf(step: Step): string | null {
  const size = String(sizeOf(step));
  const letter = ATOMS.find((atom) => String(stepsOf(atom)[0]) === size);
  const atom = letter ?? `(${size})`;
  return stepsOf(atom).length > 0 ? atom : null;
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
