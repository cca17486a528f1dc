// An SVG file as a piece's drawing. A file may be a stranger's, so the browser never parses it nor puts it into the page:
// its tags are read as text, a few elements and attributes of them are kept, and only path data comes out of it.

import { type Box, boxOf, combined, type Matrix, readPath, type Segment, transformed, writePath } from "./path";

/** The largest file that is read, in bytes, and the largest drawing of a definition. */
export const MOST_FILE = 512 * 1024;
const MOST_DRAWING = 8000;
const MOST_ELEMENTS = 5000;
const MOST_DEPTH = 100;
/** Drawings fill a square from 0 to 100, but for a margin. */
const MARGIN = 6;

/** Why there is no drawing: the file is no SVG, too large, has nothing to draw, or draws too much. */
export type Unusable = "file" | "large" | "empty" | "detailed";

export interface Drawn {
  /** The value for the key `art`. */
  art: string;
  /** The names of elements that were left out. */
  left: string[];
}

/** Elements that hold others, elements that are drawn, and what shows nothing by itself. */
const HOLDERS = new Set(["svg", "g"]);
const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"]);
const SILENT = new Set(["defs", "title", "desc", "metadata"]);

/** What elements hand on to those in them. */
interface Look {
  matrix: Matrix;
  fill: string;
  stroke: string;
  shown: boolean;
}

interface Shape {
  segments: Segment[];
  fill: string;
  stroke: string;
  box: Box;
}

type Attributes = ReadonlyMap<string, string>;

/** Reads a file as a drawing. */
export function drawingOf(text: string): Drawn | Unusable {
  if (text.length > MOST_FILE) return "large";
  const left = new Set<string>();
  const shapes = shapesOf(text, left);
  if (!shapes) return "file";
  const paths = pathsOf(shapes);
  if (!paths) return "empty";
  const all = boxOf(paths.flat());
  const size = Math.max(all.right - all.left, all.bottom - all.top);
  if (!(size > 0 && size < 1e9)) return "empty";
  const scale = (100 - 2 * MARGIN) / size;
  const [x, y] = [50 - (scale * (all.left + all.right)) / 2, 50 - (scale * (all.top + all.bottom)) / 2];
  for (const decimals of [1, 0]) {
    const written = paths.map((path) => writePath(transformed(path, [scale, 0, 0, scale, x, y]), decimals));
    const art = written.join(" | ").replace(/[ |]+$/, "");
    if (art.length <= MOST_DRAWING) return { art, left: [...left].sort().slice(0, 10) };
  }
  return "detailed";
}

/** Reads the shapes of a file, and adds the names of what it leaves out; `null` if the file is no SVG. */
function shapesOf(text: string, left: Set<string>): Shape[] | null {
  const shapes: Shape[] = [];
  const stack: { name: string; look: Look }[] = [];
  let look: Look = { matrix: [1, 0, 0, 1, 0, 0], fill: "black", stroke: "none", shown: true };
  let count = 0;
  let isSvg = false;
  for (const { name, attributes, opens, closes } of tagsOf(text)) {
    if (++count > MOST_ELEMENTS || stack.length > MOST_DEPTH) return null;
    if (!isSvg && name !== "svg") return null;
    isSvg = true;
    if (opens) {
      const before = look;
      const known = HOLDERS.has(name) || SHAPES.has(name);
      look = within(look, attributes, known);
      if (SHAPES.has(name) && look.shown) add(shapes, name, attributes, look);
      if (!known && before.shown && !SILENT.has(name) && /^[\w-]+$/.test(name)) left.add(name.slice(0, 30));
      stack.push({ name, look: before });
    }
    if (!closes) continue;
    // A closing tag without an opening one is ignored, and one that closes several elements closes them all.
    const at = stack.findLastIndex((one) => one.name === name);
    if (at >= 0) look = stack.splice(at)[0]?.look ?? look;
  }
  return isSvg ? shapes : null;
}

interface Tag {
  name: string;
  attributes: Attributes;
  opens: boolean;
  closes: boolean;
}

/** Reads the tags of a text, without comments, texts, instructions and document types. */
function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const ending = ENDINGS.find(([start]) => text.startsWith(start, at));
    if (ending) {
      const end = text.indexOf(ending[1], at + ending[0].length);
      if (end < 0) return;
      at = end + ending[1].length;
      continue;
    }
    const end = endOfTag(text, at);
    const inside = text.slice(at + 1, end);
    at = end + 1;
    const name = /^\/?\s*([^\s/>]*)/.exec(inside)?.[1]?.toLowerCase() ?? "";
    if (inside.startsWith("/")) yield { name, attributes: new Map(), opens: false, closes: true };
    else yield { name, attributes: attributesOf(inside), opens: true, closes: inside.endsWith("/") };
  }
}

/** What is skipped whole; a document type's own entities are never read, so its end may be taken too early. */
const ENDINGS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
] as const;

/** Returns where a tag ends: at `>` outside of quotes. */
function endOfTag(text: string, start: number): number {
  let quote = "";
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at;
  }
  return text.length;
}

/** The attributes that are read. All others, such as links, classes and handlers of events, are left out. */
const KNOWN = new Set(
  "d points x y width height rx ry cx cy r x1 y1 x2 y2 transform fill stroke display visibility style".split(" "),
);

function attributesOf(tag: string): Attributes {
  const found = new Map<string, string>();
  for (const [, name = "", double, single] of tag.matchAll(/\s([\w-]{1,20})\s?=\s?(?:"([^"]*)"|'([^']*)')/g)) {
    if (KNOWN.has(name)) found.set(name, double ?? single ?? "");
  }
  // Of a style only what attributes say too.
  for (const part of (found.get("style") ?? "").slice(0, 2000).split(";")) {
    const [name = "", value = ""] = part.split(":", 2).map((text) => text.trim());
    if (["fill", "stroke", "display", "visibility"].includes(name)) found.set(name, value);
  }
  return found;
}

function within(look: Look, attributes: Attributes, known: boolean): Look {
  const hidden = attributes.get("display") === "none" || attributes.get("visibility") === "hidden";
  const paint = (name: "fill" | "stroke"): string => {
    const given = colour(attributes.get(name) ?? "");
    return given === "" || given === "inherit" ? look[name] : given;
  };
  const matrix = matrixOf(attributes.get("transform") ?? "");
  return {
    matrix: combined(look.matrix, matrix),
    fill: paint("fill"),
    stroke: paint("stroke"),
    shown: look.shown && known && !hidden,
  };
}

/** Returns a colour so that the same one is mostly the same text; `none` if nothing is seen of it. */
function colour(text: string): string {
  const plain = text.slice(0, 100).trim().toLowerCase().replaceAll(" ", "");
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(plain);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  return { white: "#ffffff", black: "#000000", transparent: "none" }[plain] ?? plain;
}

/** Reads transformations, which apply from the right to the left. */
function matrixOf(text: string): Matrix {
  let all: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, name, inside = ""] of text.slice(0, 1000).matchAll(/([a-zA-Z]+)\s?\(([^()]*)\)/g)) {
    const numbers = inside
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
    if (!numbers.every((number) => Math.abs(number) < 1e9)) continue;
    const [a = 0, b, c] = numbers;
    const angle = (a * Math.PI) / 180;
    if (name === "matrix" && numbers.length === 6) all = combined(all, numbers as unknown as Matrix);
    else if (name === "translate") all = combined(all, [1, 0, 0, 1, a, b ?? 0]);
    else if (name === "scale") all = combined(all, [a, 0, 0, b ?? a, 0, 0]);
    else if (name === "skewX") all = combined(all, [1, 0, Math.tan(angle), 1, 0, 0]);
    else if (name === "skewY") all = combined(all, [1, Math.tan(angle), 0, 1, 0, 0]);
    else if (name === "rotate") {
      const [cos, sin, x, y] = [Math.cos(angle), Math.sin(angle), b ?? 0, c ?? 0];
      all = combined(all, [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]);
    }
  }
  return all;
}

function add(shapes: Shape[], name: string, attributes: Attributes, { matrix, fill, stroke }: Look): void {
  if (fill === "none" && stroke === "none") return;
  const segments = transformed(readPath(dataOf(name, attributes)), matrix);
  if (segments.length > 1) shapes.push({ segments, fill, stroke, box: boxOf(segments) });
}

/** Returns the path data of a shape. */
function dataOf(name: string, attributes: Attributes): string {
  const number = (key: string, otherwise = 0): number => {
    const found = Number.parseFloat(attributes.get(key) ?? "");
    return Math.abs(found) < 1e9 ? found : otherwise;
  };
  if (name === "path") return attributes.get("d") ?? "";
  if (name === "line") return `M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`;
  if (name === "polyline" || name === "polygon")
    return `M${attributes.get("points") ?? ""}${name === "polygon" ? "z" : ""}`;
  if (name === "rect") {
    const [x, y, width, height] = [number("x"), number("y"), number("width"), number("height")];
    if (width <= 0 || height <= 0) return "";
    const [rx, ry] = [number("rx", number("ry")), number("ry", number("rx"))];
    const [round, high] = [Math.min(Math.max(rx, 0), width / 2), Math.min(Math.max(ry, 0), height / 2)];
    if (round === 0 || high === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
    const corner = (dx: number, dy: number): string => `a${round} ${high} 0 0 1 ${dx} ${dy}`;
    return (
      `M${x + round} ${y}h${width - 2 * round}${corner(round, high)}v${height - 2 * high}${corner(-round, high)}` +
      `h${2 * round - width}${corner(-round, -high)}v${2 * high - height}${corner(round, -high)}z`
    );
  }
  const [rx, ry] = name === "circle" ? [number("r"), number("r")] : [number("rx"), number("ry")];
  if (rx <= 0 || ry <= 0) return "";
  return `M${number("cx") - rx} ${number("cy")}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0z`;
}

/** Returns a drawing's shape, details and lines; `null` if there is nothing to draw. */
function pathsOf(all: readonly Shape[]): [Segment[], Segment[], Segment[]] | null {
  const whole = boxOf(all.flatMap(({ segments }) => segments));
  const area = ({ box }: Shape): number => (box.right - box.left) * (box.bottom - box.top);
  const isGround = ({ segments, stroke, box }: Shape): boolean =>
    stroke === "none" &&
    segments.length <= 6 &&
    segments.every(
      ({ sign, points }) => sign !== "C" && sign !== "Q" && points.every((point) => isCorner(point, box)),
    ) &&
    JSON.stringify(box) === JSON.stringify(whole);
  // A rectangle without lines as large as the picture, with something on it, is a background.
  const shapes = all.length > 1 && all[0] && isGround(all[0]) ? all.slice(1) : all;
  const filled = shapes.filter(({ fill }) => fill !== "none");
  const [first] = filled;
  const together = (some: readonly Shape[]): Segment[] => some.flatMap(({ segments }) => segments);
  // A drawing of lines is filled: without a shape in its colour, a piece would have no side.
  if (!first) return shapes.length > 0 ? [together(shapes), [], []] : null;
  const body = filled.reduce((largest, shape) => (area(shape) > area(largest) ? shape : largest), first).fill;
  return [
    together(filled.filter(({ fill }) => fill === body)),
    together(filled.filter(({ fill }) => fill !== body)),
    together(shapes.filter(({ fill, stroke }) => stroke !== "none" && stroke !== fill)),
  ];
}

function isCorner([x, y]: readonly [number, number], { left, top, right, bottom }: Box): boolean {
  return (x === left || x === right) && (y === top || y === bottom);
}
