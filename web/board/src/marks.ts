// Marks on squares as SVG text, in units of squares. Each has a rim of the opposite lightness, since no colour stands
// out on both light and dark squares. The sizes are those of acedrex.svg.

import type { Arrow, Count } from "./settings.ts";
import { centreOf, type Facing, type Point } from "./squares.ts";
import type { Reach, ReachKind, Square } from "./types.ts";

function n(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function dot({ x, y }: Point): string {
  return `<circle class="dot" cx="${n(x)}" cy="${n(y)}" r=".13"/>`;
}

function ring({ x, y }: Point, colour: string, radius: number): string {
  const circle = (kind: string) => `<circle class="ring ${kind}" cx="${n(x)}" cy="${n(y)}" r="${radius}"/>`;
  return circle("rim") + circle(colour);
}

function stroke(data: string, kind: string, colour: string): string {
  return `<path class="${kind} rim" d="${data}"/><path class="${kind} ${colour}" d="${data}"/>`;
}

/** Return the mark of a target: a dot for a move, a ring for a capture, a golden ring for a hop. */
export function mark(kind: ReachKind, at: Point, occupied: boolean): string {
  const radius = occupied ? 0.43 : 0.27;
  if (kind === "move") return dot(at);
  if (kind === "hop") return ring(at, "gold", radius);
  return ring(at, "vermilion", radius) + (kind === "both" ? dot(at) : "");
}

/** Two short bars beside a mount, across the line of the hop. */
function tick(mount: Point, to: Point): string {
  const length = Math.hypot(to.x - mount.x, to.y - mount.y) || 1;
  const [px, py] = [-(to.y - mount.y) / length, (to.x - mount.x) / length];
  const bar = (near: number, far: number) =>
    `M${n(mount.x + near * px)} ${n(mount.y + near * py)}L${n(mount.x + far * px)} ${n(mount.y + far * py)}`;
  return stroke(bar(-0.46, -0.29) + bar(0.29, 0.46), "tick", "gold");
}

/** A square to go to, and how it is reached. */
export interface Target {
  to: Square;
  kind: ReachKind;
  reach: Pick<Reach, "mount" | "path"> | null;
}

/** Return the marks of all targets, each once. */
export function targetMarks(targets: Target[], occupied: ReadonlySet<Square>, facing: Facing): string {
  const marks = new Set<string>();
  for (const { to, kind, reach } of targets) {
    const at = centreOf(to, facing);
    marks.add(mark(kind, at, occupied.has(to)));
    if (reach?.mount) marks.add(tick(centreOf(reach.mount, facing), at));
  }
  return [...marks].join("");
}

function isBent(route: Point[]): boolean {
  const [start, ...rest] = route;
  const end = rest.at(-1);
  if (!start || !end || rest.length < 2) return false;
  const cross = (a: Point, b: Point) => (a.x - start.x) * (b.y - start.y) - (a.y - start.y) * (b.x - start.x);
  return rest.some((point) => cross(point, end) !== 0);
}

/** Draw dashed lines along the paths that bend, each leg once. */
export function bentPaths(from: Square, targets: Target[], facing: Facing): string {
  const routes = targets
    .map(({ to, reach }) => [from, ...(reach?.path ?? [to])].map((square) => centreOf(square, facing)))
    .filter(isBent)
    // The longest first, as it covers those that stop earlier.
    .sort((a, b) => b.length - a.length);
  const seen = new Set<string>();
  let data = "";
  for (const route of routes) {
    let drawing = false;
    route.forEach((point, index) => {
      const before = route[index - 1];
      if (!before) return;
      const leg = `${before.x} ${before.y} ${point.x} ${point.y}`;
      if (!seen.has(leg)) {
        data += drawing ? "" : `M${before.x} ${before.y}`;
        data += `L${point.x} ${point.y}`;
      }
      drawing = !seen.has(leg);
      seen.add(leg);
    });
  }
  return data ? stroke(data, "way", "lapis") : "";
}

/** Draw an arrow from centre to centre, or a ring if both squares are the same. */
export function arrow({ from, to, colour, faint }: Arrow, facing: Facing): string {
  const [start, end] = [centreOf(from, facing), centreOf(to, facing)];
  if (from === to) return ring(start, colour, 0.43);
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const [tip, neck] = [length - 0.06, length - 0.44];
  const outline: [number, number][] = [
    [0.18, 0.06],
    [neck, 0.06],
    [neck, 0.2],
    [tip, 0],
    [neck, -0.2],
    [neck, -0.06],
    [0.18, -0.06],
  ];
  const points = outline.map(
    ([along, across]) => `${n(start.x + dx * along - dy * across)},${n(start.y + dy * along + dx * across)}`,
  );
  return `<polygon class="arrow ${colour}${faint ? " faint" : ""}" points="${points.join(" ")}"/>`;
}

/** Write a number on a disc in a corner of a square. */
function badge(square: Square, number: number, kind: string, [dx, dy]: [number, number], facing: Facing): string {
  const centre = centreOf(square, facing);
  const [x, y] = [n(centre.x + dx * 0.29), n(centre.y + dy * 0.29)];
  return `<circle class="${kind}" cx="${x}" cy="${y}" r=".2"/><text class="${kind}" x="${x}" y="${y}">${number}</text>`;
}

/** Write two numbers in the corners of a square, each on a disc of its side's colour. */
export function counts({ square, white, black }: Count, facing: Facing): string {
  const below = white === 0 ? "" : badge(square, white, "count white", [-1, 1], facing);
  return below + (black === 0 ? "" : badge(square, black, "count black", [1, -1], facing));
}

/** Draw an arrow under the pieces along the path of a move, from its origin to the edge of its destination. */
export function moveArrow(path: Square[], facing: Facing): string {
  const points = path.map((square) => centreOf(square, facing));
  const [start, end, before] = [points[0], points.at(-1), points.at(-2)];
  if (!start || !end || !before) return "";
  const towards = (from: Point, to: Point, distance: number): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
  };
  const tip = towards(end, before, 0.36);
  const neck = towards(end, before, 0.6);
  const [x, y] = [neck.y - tip.y, tip.x - neck.x];
  const tail = towards(start, points[1] ?? end, 0.2);
  const shaft = [tail, ...points.slice(1, -1), neck].map((point) => `${n(point.x)} ${n(point.y)}`).join("L");
  const side = (sign: number) => `${n(neck.x + sign * x * 0.85)} ${n(neck.y + sign * y * 0.85)}`;
  const head = `M${n(tip.x)} ${n(tip.y)}L${side(1)}L${side(-1)}Z`;
  const parts = (colour: string) =>
    `<path class="shaft ${colour}" d="M${shaft}"/><path class="head ${colour}" d="${head}"/>`;
  return parts("dark") + parts("last");
}

/** Write the number of a move in the corner of its destination. */
export function moveNumber(square: Square, number: number, facing: Facing): string {
  return badge(square, number, "number", [-1, -1], facing);
}

/** Draw a line from a piece to a royal piece that may command it, with a ring around the latter. */
export function commandLine(from: Square, to: Square, facing: Facing): string {
  const [start, end] = [centreOf(from, facing), centreOf(to, facing)];
  const line = from === to ? "" : stroke(`M${n(start.x)} ${n(start.y)}L${n(end.x)} ${n(end.y)}`, "command", "gold");
  return line + ring(end, "gold", 0.46);
}

/** Fill a square with a colour. */
export function tint(square: Square, kind: string, facing: Facing): string {
  const { x, y } = centreOf(square, facing);
  return `<rect class="tint ${kind}" x="${x - 0.5}" y="${y - 0.5}" width="1" height="1"/>`;
}

/** Draw a line just inside a square. */
export function edge(square: Square, kind: string, facing: Facing): string {
  const { x, y } = centreOf(square, facing);
  const rect = (name: string) =>
    `<rect class="edge ${name}" x="${n(x - 0.46)}" y="${n(y - 0.46)}" width=".92" height=".92"/>`;
  return rect("rim") + rect(kind);
}

/** Draw a glow around a royal piece in check. */
export function halo(square: Square, facing: Facing): string {
  const { x, y } = centreOf(square, facing);
  return [0.66, 0.58, 0.5].map((radius) => `<circle class="halo" cx="${x}" cy="${y}" r="${radius}"/>`).join("");
}
