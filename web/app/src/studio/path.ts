// SVG path data: read into absolute lines and curves, moved, and written again. What is not path data ends a path.

/** A command with absolute coordinates, control points before the point where it ends. */
export interface Segment {
  sign: "M" | "L" | "Q" | "C" | "Z";
  points: readonly Point[];
}
export type Point = readonly [x: number, y: number];

/** A transformation `(ax + cy + e, bx + dy + f)`, as SVG writes it. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The most segments that are read. */
const MOST = 20_000;
const NUMBERS: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Reads path data up to its first fault, as browsers draw it. */
export function readPath(data: string): Segment[] {
  const found: Segment[] = [];
  const reader = new Pen(found);
  let at = 0;
  const next = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(data);
    if (!match) return null;
    at = pattern.lastIndex;
    return match[1] ?? "";
  };
  for (;;) {
    const command = next(/[\s,]*([MLHVCSQTAZmlhvcsqtaz])/y);
    const count = NUMBERS[command?.toUpperCase() ?? ""];
    if (command === null || count === undefined || (found.length === 0 && !/m/i.test(command))) return found;
    let sign = command;
    do {
      const numbers: number[] = [];
      while (numbers.length < count) {
        const flag = count === 7 && (numbers.length === 3 || numbers.length === 4);
        const text = next(flag ? /[\s,]*([01])/y : /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)/iy);
        const number = Number(text);
        if (text === null || !Number.isFinite(number) || Math.abs(number) > 1e9) break;
        numbers.push(number);
      }
      if (numbers.length < count) return found;
      reader.draw(sign, numbers);
      if (found.length > MOST) return found;
      // What follows the point of a move are lines.
      if (sign === "M") sign = "L";
      if (sign === "m") sign = "l";
    } while (count > 0 && /^[\s,]*[\d.+-]/.test(data.slice(at, at + 50)));
  }
}

/** Follows commands, of which each begins where the last one ended. */
class Pen {
  #at: Point = [0, 0];
  #start: Point = [0, 0];
  /** The last control point of a curve, which a smooth curve mirrors. */
  #control: Point | null = null;
  #curve = "";

  constructor(private readonly found: Segment[]) {}

  draw(sign: string, numbers: readonly number[]): void {
    const kind = sign.toUpperCase();
    const [x, y] = sign === kind ? [0, 0] : this.#at;
    const point = (index: number): Point => [(numbers[index] ?? 0) + x, (numbers[index + 1] ?? 0) + y];
    const mirrored: Point =
      this.#control && this.#curve === ({ S: "C", T: "Q" }[kind] ?? "")
        ? [2 * this.#at[0] - this.#control[0], 2 * this.#at[1] - this.#control[1]]
        : this.#at;
    let control: Point | null = null;
    let curve = "";
    const cubic = (one: Point, two: Point, to: Point): void => {
      this.found.push({ sign: "C", points: [one, two, to] });
      [this.#at, control, curve] = [to, two, "C"];
    };
    const quadratic = (one: Point, to: Point): void => {
      this.found.push({ sign: "Q", points: [one, to] });
      [this.#at, control, curve] = [to, one, "Q"];
    };
    const line = (to: Point): void => {
      this.found.push({ sign: "L", points: [to] });
      this.#at = to;
    };
    if (kind === "M") {
      this.#at = point(0);
      this.#start = this.#at;
      this.found.push({ sign: "M", points: [this.#at] });
    } else if (kind === "L") line(point(0));
    else if (kind === "H") line([point(0)[0], this.#at[1]]);
    else if (kind === "V") line([this.#at[0], (numbers[0] ?? 0) + y]);
    else if (kind === "C") cubic(point(0), point(2), point(4));
    else if (kind === "S") cubic(mirrored, point(0), point(2));
    else if (kind === "Q") quadratic(point(0), point(2));
    else if (kind === "T") quadratic(mirrored, point(0));
    else if (kind === "A") {
      const [rx = 0, ry = 0, turn = 0, large = 0, sweep = 0] = numbers;
      const to = point(5);
      const arcs = arcOf(this.#at, to, [Math.abs(rx), Math.abs(ry)], (turn * Math.PI) / 180, large === 1, sweep === 1);
      if (arcs) for (const [one, two, end] of arcs) cubic(one, two, end);
      else line(to);
      [control, curve] = [null, ""];
    } else {
      this.found.push({ sign: "Z", points: [] });
      this.#at = this.#start;
    }
    [this.#control, this.#curve] = [control, curve];
  }
}

/** Returns an arc as curves of at most a quarter; `null` if it is a line. Appendix B.2.4 of SVG 2 has the formulas. */
function arcOf(
  [x1, y1]: Point,
  [x2, y2]: Point,
  radii: Point,
  turn: number,
  large: boolean,
  sweep: boolean,
): [Point, Point, Point][] | null {
  let [rx, ry] = radii;
  if (rx === 0 || ry === 0 || (x1 === x2 && y1 === y2)) return null;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2];
  const [x, y] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grown = Math.sqrt((x / rx) ** 2 + (y / ry) ** 2);
  if (grown > 1) [rx, ry] = [rx * grown, ry * grown];
  const part = (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1;
  const length = Math.sqrt(Math.max(0, part)) * (large === sweep ? -1 : 1);
  const [cx, cy] = [(length * rx * y) / ry, (-length * ry * x) / rx];
  const from = Math.atan2((y - cy) / ry, (x - cx) / rx);
  let angle = Math.atan2((-y - cy) / ry, (-x - cx) / rx) - from;
  if (sweep && angle < 0) angle += 2 * Math.PI;
  if (!sweep && angle > 0) angle -= 2 * Math.PI;
  const centre = [cos * cx - sin * cy + (x1 + x2) / 2, sin * cx + cos * cy + (y1 + y2) / 2] as const;
  const place = (u: number, v: number): Point => [
    cos * rx * u - sin * ry * v + centre[0],
    sin * rx * u + cos * ry * v + centre[1],
  ];
  const count = Math.max(1, Math.ceil(Math.abs(angle) / (Math.PI / 2) - 1e-9));
  const step = angle / count;
  const handle = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = [from + index * step, from + (index + 1) * step];
    return [
      place(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
      place(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
      index === count - 1 ? [x2, y2] : place(Math.cos(b), Math.sin(b)),
    ];
  });
}

/** Returns segments after a transformation. */
export function transformed(segments: readonly Segment[], [a, b, c, d, e, f]: Matrix): Segment[] {
  return segments.map(({ sign, points }) => ({
    sign,
    points: points.map(([x, y]) => [a * x + c * y + e, b * x + d * y + f] as const),
  }));
}

/** Returns the transformation that applies `inner`, then `outer`. */
export function combined([a, b, c, d, e, f]: Matrix, inner: Matrix): Matrix {
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns a box around segments, with the control points of their curves. */
export function boxOf(segments: readonly Segment[]): Box {
  const box = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const [x, y] of segments.flatMap(({ points }) => [...points])) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Writes path data with so many decimals. */
export function writePath(segments: readonly Segment[], decimals: number): string {
  const number = (value: number): string => String(Number(value.toFixed(decimals)) + 0);
  return segments
    .map(({ sign, points }) => `${sign}${points.flat().map(number).join(" ").replaceAll(" -", "-")}`)
    .join("");
}
