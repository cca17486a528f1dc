// Computes from the tokens that marks stand out and can be told apart, whatever the reader's colour vision.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

type Colour = readonly [number, number, number];
type Matrix = readonly [Colour, Colour, Colour];

const css = readFileSync(fileURLToPath(new URL("../src/tokens.css", import.meta.url)), "utf8");

/** The tokens of a theme; those that the dark theme does not set are those of the light one. */
function tokens(theme: "light" | "dark"): Record<string, string> {
  const blocks = [css.match(/^:root \{([^}]*)\}/m), css.match(/^:root\[data-theme="dark"\] \{([^}]*)\}/m)];
  const text = (theme === "light" ? blocks.slice(0, 1) : blocks).map((block) => block?.[1]).join("");
  return Object.fromEntries([...text.matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]));
}

/** Linear light of a colour in hexadecimal. */
function linear(hex = ""): Colour {
  expect(hex).toMatch(/^#[0-9a-f]{6}$/);
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** A colour over another one, as browsers mix them: in sRGB, not in linear light. */
function over(hex: string, below: string, opacity: number): string {
  const part = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(hex, at) * opacity + part(below, at) * (1 - opacity)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function times(matrix: Matrix, [r, g, b]: Colour): Colour {
  const row = ([x, y, z]: Colour) => Math.min(Math.max(x * r + y * g + z * b, 0), 1);
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

/** Contrast of two colours by WCAG. */
function contrast(a = "", b = ""): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const [high, low] = [Math.max(luminance(a), luminance(b)), Math.min(luminance(a), luminance(b))];
  return high / low;
}

/** CIELAB under D65. */
function lab(light: Colour): Colour {
  const [x, y, z] = times(
    [
      [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
      [0.2126, 0.7152, 0.0722],
      [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
    ],
    light,
  ).map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Complete dichromacy in linear light: Machado, Oliveira and Fernandes 2009. */
const VISIONS: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The least difference in CIELAB: about four times what is just noticeable. */
const LEAST = 10;

/** The colours of squares of a board in a theme, by what they mean. */
function squares(theme: "light" | "dark", board: string): { means: string; colour: string }[] {
  const token = tokens(theme);
  const tint = (name: string, square: string, layers = 1) =>
    over(token[name] ?? "", square, 1 - (1 - Number(token[`${name}-tint`])) ** layers);
  return [token[`${board}-light`] ?? "", token[`${board}-dark`] ?? ""].flatMap((square) => [
    { means: "plain", colour: square },
    { means: "last move", colour: tint("last-move", square) },
    { means: "selection", colour: tint("selection", square) },
    // A halo is three circles, one inside the other.
    { means: "check", colour: tint("check", square, 3) },
  ]);
}

const BOARDS = (["light", "dark"] as const).flatMap((theme) =>
  ["parchment", "slate", "green"].map((board) => [theme, board] as const),
);

test.each(BOARDS)("marked squares can be told apart in the %s theme on %s", (theme, board) => {
  const close = Object.entries(VISIONS).flatMap(([vision, matrix]) =>
    squares(theme, board).flatMap((one, index, all) =>
      all.slice(index + 1).flatMap((other) => {
        const [a, b] = [one, other].map(({ colour }) => lab(times(matrix, linear(colour)))) as [Colour, Colour];
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        return one.means !== other.means && distance < LEAST ? [[vision, one, other, distance]] : [];
      }),
    ),
  );
  expect(close).toEqual([]);
});

test.each(BOARDS)("marks stand out from squares or from their rims in the %s theme on %s", (theme, board) => {
  const token = tokens(theme);
  const rims = { lapis: "rim", vermilion: "rim", gold: "rim", "last-move": "dark-rim" };
  const weak = Object.entries(rims).flatMap(([name, rim]) => {
    const grounds = squares(theme, board).filter(({ means }) => means === "plain");
    const clear = grounds.every(({ colour }) => contrast(token[name], colour) >= 3);
    return clear || contrast(token[name], token[rim]) >= 3 ? [] : [name];
  });
  expect(weak).toEqual([]);
});
