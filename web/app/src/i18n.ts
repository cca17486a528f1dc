import { english, type Texts } from "@acedrex/board";
import { effect, signal } from "@preact/signals";
import type { Language } from "../../core/src/limits.ts";
import { settings } from "./client/settings";
import type texts from "./locale/en";

export type Key = keyof typeof texts;
/** Stems of keys that have a text for one thing and another for any other number. */
export type Counted = Key extends infer K ? (K extends `${infer Stem}.other` ? Stem : never) : never;
export type { Language };

type Catalogue = Record<Key, string>;

const catalogues: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./locale/en"),
  fr: () => import("./locale/fr"),
};

const catalogue = signal<Catalogue | null>(null);
export const language = signal<Language>("en");

function preferred(): Language {
  const { language: chosen } = settings.value;
  if (chosen !== "system") return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith("fr")) &&
    !navigator.languages[0]?.toLowerCase().startsWith("en")
    ? "fr"
    : "en";
}

/** Loads the texts of a language and shows the page in it. */
export async function setLanguage(next: Language): Promise<void> {
  const texts = (await catalogues[next]()).default;
  catalogue.value = texts;
  language.value = next;
  document.documentElement.lang = next;
}

/** Shows the page in the language of the settings, now and whenever they change. Resolves once the first is loaded. */
export function followLanguage(): Promise<void> {
  return new Promise((done) => {
    effect(() => {
      setLanguage(preferred()).then(done, done);
    });
  });
}

/** Returns the text of a key, with values in the place of `{name}`. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = catalogue.value?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Returns the text for a number of things, with the number in the place of `{count}`. */
export function count(stem: Counted, number: number): string {
  const form = new Intl.PluralRules(language.value).select(number) === "one" ? "one" : "other";
  return t(`${stem}.${form}` as Key, { count: number });
}

/** Returns the text of a key that was made of a server's code, or `otherwise` if there is none. */
export function tOr(key: string, otherwise: string): string {
  return catalogue.value?.[key as Key] ?? otherwise;
}

let shown: { texts: Texts; of: Catalogue } | null = null;

/** Returns the board's texts in the language of the page: the same object until the language changes. */
export function boardTexts(): Texts {
  const of = catalogue.value;
  if (!of) return english;
  if (shown?.of !== of) {
    const texts = Object.fromEntries(Object.keys(english).map((key) => [key, of[`board.${key}` as Key]]));
    shown = { texts: texts as Texts, of };
  }
  return shown.texts;
}
