// The texts around the board. Those of the board and of endings are the app's.

import texts from "made:texts";
import { english as boardEnglish, type Texts } from "../../board/src/texts.ts";
import type { Outcome } from "../../core/src/outcome.ts";
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

/** Return how a game has ended, as the app says it. */
export function outcomeText(language: Language, { termination, winner, result, score }: Outcome): string {
  const told: Record<string, string> = {
    threefold_repetition: "repetition",
    fivefold_repetition: "repetition",
    fifty_moves: "quiet",
    seventyfive_moves: "quiet",
  };
  const reason = shared(language, `ending.${told[termination] ?? termination}`);
  const points = score === result ? "" : ` (${score})`;
  const won = shared(language, winner ? `ending.${winner}` : "ending.drawn") + points;
  const sentence = shared(language, winner ? "ending.sentence" : "ending.draw");
  const values: Record<string, string> = {
    winner: won,
    reason: winner ? reason.charAt(0).toUpperCase() + reason.slice(1) : reason,
  };
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
