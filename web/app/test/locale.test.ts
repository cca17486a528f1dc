import { english } from "@acedrex/board";
import { beforeAll, expect, test } from "vitest";
import { count, setLanguage, t, tOr } from "../src/i18n";
import en from "../src/locale/en";
import fr from "../src/locale/fr";

const files = import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const code = Object.values(files).join("\n");
const keys = Object.keys(en);
const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

beforeAll(() => setLanguage("en"));

test("both languages have the same keys in the same order", () => {
  expect(Object.keys(fr)).toEqual(keys);
});

test("both languages have the same placeholders", () => {
  const odd = keys.filter(
    (key) => String(holes(en[key as keyof typeof en])) !== String(holes(fr[key as keyof typeof fr])),
  );
  expect(odd).toEqual([]);
});

test("no text is empty or has an exclamation mark", () => {
  expect(
    [...Object.entries(en), ...Object.entries(fr)].filter(([, text]) => !text.trim() || text.includes("!")),
  ).toEqual([]);
});

test("French uses no-break spaces before punctuation and a typographic apostrophe", () => {
  const odd = Object.entries(fr).filter(([, text]) => /[^\u00a0][:;?!%»](?!\/\/)|«[^\u00a0]|'/.test(text));
  expect(odd).toEqual([]);
});

test("English says what players say", () => {
  const odd = /\b(mount|portrait|for nothing|neither side|makes mistakes|ply|plies)\b/i;
  expect(Object.values(en).filter((text) => odd.test(text))).toEqual([]);
});

test("the app has exactly the board's texts", () => {
  const ours = Object.fromEntries(
    keys.filter((key) => key.startsWith("board.")).map((key) => [key.slice(6), en[key as keyof typeof en]]),
  );
  expect(ours).toEqual(english);
});

test("every text is used", () => {
  const named = new Set([...code.matchAll(/"([\w.]+)"/g)].map(([, key]) => key));
  // t(`ending.${reason}`) uses every key that begins and ends so.
  const patterns = [...code.matchAll(/`([\w.]+\.)\$\{[^`]*?\}([\w.]*)`/g)].map(
    ([, head, tail]) => new RegExp(`^${head?.replaceAll(".", "\\.")}\\w+${tail?.replaceAll(".", "\\.")}$`),
  );
  const settings = /^settings\.\w+(\.\w+)?$/;
  const unused = keys.filter((key) => {
    const stem = key.replace(/\.(one|other)$/, "");
    return !named.has(key) && !named.has(stem) && ![...patterns, settings].some((pattern) => pattern.test(key));
  });
  expect(unused).toEqual([]);
});

test("counts and placeholders are filled in", async () => {
  expect([count("days", 1), count("days", 2)]).toEqual(["1 day", "2 days"]);
  expect(t("new.level", { level: 3 })).toBe("Level 3");
  expect(tOr("ending.checkmate", "x")).toBe("checkmate");
  expect(tOr("ending.unheard_of", "unheard of")).toBe("unheard of");
  await setLanguage("fr");
  expect([count("days", 0), document.documentElement.lang]).toEqual(["0 jour", "fr"]);
  await setLanguage("en");
});
