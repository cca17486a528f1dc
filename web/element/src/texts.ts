// The texts around the board. Those of the board and of sides are the app's.

import texts from "made:texts";
import { english as boardEnglish, type Texts } from "../../board/src/texts.ts";
import type { Language } from "./wanted.ts";

const english = {
  start: "Back to the start",
  back: "Previous move",
  on: "Next move",
  end: "To the last move",
  flip: "Flip board",
  again: "Start again",
  loading: "Loading…",
  thinking: "Thinking…",
  toMove: "{side} to move",
  after: "{move} ({at} of {count})",
  reached: "Can reach {count} squares",
  reachedOne: "Can reach one square",
  label: "{game}: {position}",
  failed: "This board cannot be shown. {reason}",
};

const french: typeof english = {
  start: "Revenir au début",
  back: "Coup précédent",
  on: "Coup suivant",
  end: "Aller au dernier coup",
  flip: "Retourner l’échiquier",
  again: "Recommencer",
  loading: "Chargement…",
  thinking: "Réflexion…",
  toMove: "Aux {side} de jouer",
  after: "{move} ({at} sur {count})",
  reached: "Peut atteindre {count} cases",
  reachedOne: "Peut atteindre une case",
  label: "{game} : {position}",
  failed: "Cet échiquier ne peut pas être affiché. {reason}",
};

const own = { en: english, fr: french };

export function say(
  language: Language,
  key: keyof typeof english,
  values: Record<string, string | number> = {},
): string {
  return own[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return a text of the app. */
export function shared(language: Language, key: string): string {
  return texts[language][key] ?? key;
}

/** Return the board's texts. */
export function boardTexts(language: Language): Texts {
  if (language === "en") return boardEnglish;
  const keys = Object.keys(boardEnglish) as (keyof Texts)[];
  return Object.fromEntries(keys.map((key) => [key, texts[language][`board.${key}`] ?? boardEnglish[key]])) as Texts;
}
