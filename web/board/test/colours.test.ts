import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("../src/tokens.css", import.meta.url), "utf8");

/** The declarations of a rule, by name. */
function rule(selector: string): Record<string, string> {
  const at = css.indexOf(`${selector} {`);
  expect(at, selector).toBeGreaterThanOrEqual(0);
  const body = css.slice(css.indexOf("{", at) + 1, css.indexOf("}", at));
  return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
}

const light = rule(":root");
const themes = { light, dark: { ...light, ...rule(':root[data-theme="dark"]') } };
const boards = [...css.matchAll(/\[data-board="(\w+)"\]/g)].map(([, name = ""]) => name);

/** Red, green and blue from 0 to 1. */
function rgb(hex: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number];
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of WCAG, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test("the dark theme is the same whether chosen or set by the system", () => {
  expect(rule(':root:not([data-theme="light"])')).toEqual(rule(':root[data-theme="dark"]'));
});

test("there are three boards", () => {
  expect(boards).toEqual(["parchment", "slate", "green"]);
  for (const board of boards) {
    expect(rule(`[data-board="${board}"]`)).toEqual({
      "square-light": `var(--${board}-light)`,
      "square-dark": `var(--${board}-dark)`,
    });
  }
});

describe.each(Object.entries(themes))("in the %s theme", (_, colours) => {
  const of = (name: string) => {
    const value = colours[name] ?? "";
    expect(value, name).toMatch(/^#[0-9a-f]{6}$/);
    return value;
  };

  describe.each(boards)("on the %s board", (board) => {
    const squares = [`${board}-light`, `${board}-dark`];

    test("light and dark squares contrast", () => {
      expect(contrast(of(`${board}-light`), of(`${board}-dark`))).toBeGreaterThan(2.1);
    });

    test("coordinates are legible", () => {
      expect(contrast(of("label-on-light"), of(`${board}-light`))).toBeGreaterThan(4.5);
      expect(contrast(of("label-on-dark"), of(`${board}-dark`))).toBeGreaterThan(4.5);
    });

    test.each(squares)("pieces of both sides stand out on %s, by fill or rim", (square) => {
      const [white, black] = [contrast(of("piece-white"), of(square)), contrast(of("piece-black"), of(square))];
      expect(Math.max(white, black)).toBeGreaterThan(4.5);
      expect(contrast(of("piece-white"), of("piece-black"))).toBeGreaterThan(12);
    });

    test.each(squares)("marks stand out on %s, by colour or rim", (square) => {
      for (const mark of ["vermilion", "lapis", "gold"]) {
        expect(Math.max(contrast(of(mark), of(square)), contrast(of("rim"), of(square))), mark).toBeGreaterThanOrEqual(
          3,
        );
        expect(contrast(of(mark), of("rim")), mark).toBeGreaterThan(4.5);
      }
    });
  });
});
