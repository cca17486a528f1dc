import { english, type Texts } from "@acedrex/board";
import { effect, signal } from "@preact/signals";
import { settings } from "./client/settings";
import type texts from "./locale/en.json";

export type Key = keyof typeof texts;
/** What is counted: there is a text for one and a text for all other numbers. */
export type Counted = Key extends infer K ? (K extends `${infer Stem}.other` ? Stem : never) : never;
export type Language = "en" | "fr";
type Catalogue = Record<Key, string>;

const catalogues: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./locale/en.json"),
  fr: () => import("./locale/fr.json"),
};

const catalogue = signal<Catalogue | null>(null);
export const language = signal<Language>("en");

function wanted(): Language {
  const { language: chosen } = settings.value;
  if (chosen !== "system") return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith("fr")) &&
    !navigator.languages[0]?.toLowerCase().startsWith("en")
    ? "fr"
    : "en";
}

/** Loads the texts of a language and turns the page over to it. */
export async function speak(tongue: Language): Promise<void> {
  const texts = (await catalogues[tongue]()).default;
  catalogue.value = texts;
  language.value = tongue;
  document.documentElement.lang = tongue;
}

/** Speaks the language of the settings, and the new one when they change. Resolves with the first. */
export function speakAsSet(): Promise<void> {
  return new Promise((done) => {
    effect(() => {
      speak(wanted()).then(done, done);
    });
  });
}

/** The text of a key, with `{name}` filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = catalogue.value?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text for a number of things; the text itself says `{count}`. */
export function count(stem: Counted, number: number): string {
  const form = new Intl.PluralRules(language.value).select(number) === "one" ? "one" : "other";
  return t(`${stem}.${form}` as Key, { count: number });
}

/** The text of a key that was put together from what a server said, or what to say if there is none. */
export function tOr(key: string, otherwise: string): string {
  return catalogue.value?.[key as Key] ?? otherwise;
}

let shown: { texts: Texts; of: Catalogue } | null = null;

/** What the board says, in the language of the page: the same object until the language changes. */
export function boardTexts(): Texts {
  const of = catalogue.value;
  if (!of) return english;
  if (shown?.of !== of) {
    const texts = Object.fromEntries(Object.keys(english).map((key) => [key, of[`board.${key}` as Key]]));
    shown = { texts: texts as Texts, of };
  }
  return shown.texts;
}
