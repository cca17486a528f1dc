// The pieces in the text of moves.

import { make, picture } from "./dom.ts";
import { figurineSymbol } from "./sprite.ts";
import type { PieceType } from "./types.ts";

/** A part of a text of moves; with a figurine it is the letter of a piece. */
export interface FigurinePart {
  text: string;
  figurine: { symbol: string; name: string } | null;
}

/** Splits moves in SAN at the letters of the pieces that have figurines. */
export function figurineParts(san: string, pieceTypes: readonly PieceType[]): FigurinePart[] {
  const tokens = pieceTypes.map((kind) => kind.letter);
  return sanParts(san, tokens).map(({ text, piece }) => {
    const kind = piece ? pieceTypes.find(({ letter }) => letter === text) : undefined;
    const symbol = kind ? figurineSymbol(kind) : null;
    return { text, figurine: kind && symbol ? { symbol, name: kind.name } : null };
  });
}

/** Appends moves to an element, with figurines before letters, which are only for screen readers and for copying. */
export function writeMoves(parent: Element, san: string, pieceTypes: readonly PieceType[]): void {
  for (const { text, figurine } of figurineParts(san, pieceTypes)) {
    if (!figurine) {
      parent.append(text);
      continue;
    }
    const element = make("span", "figurine", parent);
    element.title = figurine.name;
    picture(figurine.symbol, "", element);
    make("span", "", element).textContent = text;
  }
}

export interface Part {
  text: string;
  /** Whether the text is the token of a piece. */
  piece: boolean;
}

/** Splits moves in SAN or long notation, with or without numbers, at the tokens of pieces: "25.R'xk4", "e9-e10=Q+". */
export function sanParts(san: string, tokens: readonly string[]): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { index, 0: text } of san.matchAll(pattern(tokens))) {
    if (index > end) parts.push({ text: san.slice(end, index), piece: false });
    parts.push({ text, piece: true });
    end = index + text.length;
  }
  if (end < san.length) parts.push({ text: san.slice(end), piece: false });
  return parts;
}

const patterns = new Map<string, RegExp>();

/** A pattern that matches the tokens at the beginnings of moves and in promotions; of R and R' the longer one. */
function pattern(tokens: readonly string[]): RegExp {
  const key = tokens.join(" ");
  let found = patterns.get(key);
  if (!found) {
    // A token is a capital letter, alone or with ' or !, none of which has a meaning in a pattern.
    const token = `(?:${[...tokens].sort((a, b) => b.length - a.length).join("|") || "(?!)"})`;
    const origin = "(?:[a-p]\\d{1,2}|[a-p]|\\d{1,2})?";
    found = new RegExp(`(?<![\\w'!])${token}(?=${origin}[x-]?[a-p]\\d)|(?<==)${token}`, "g");
    patterns.set(key, found);
  }
  return found;
}
