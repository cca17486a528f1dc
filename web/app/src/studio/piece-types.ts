// The pieces and the start of a draft as its forms show them: also while the text has faults.

import { fileOf, isSquare, rankOf, readPlacement, type Size, squareName } from "@acedrex/board";
import { MAX_PIECE_TYPES, MAX_SIDE, MIN_SIDE } from "../../../core/src/limits.ts";
import type { PieceOn, PieceType } from "../wire";
import type { OpenDraft } from "./open-draft";
import type { Toml } from "./toml";
import { drop, put } from "./toml-edit";

/** Returns the pieces of a draft in the order of the text, those of the game that it extends first. */
export function pieceTypesOf(draft: OpenDraft): PieceType[] {
  const [base, own] = [tableOf(draft.inherited(["pieces"])), tableOf(draft.document.value?.at(["pieces"]))];
  const letters = [...new Set([...Object.keys(base), ...Object.keys(own)])].slice(0, MAX_PIECE_TYPES);
  return letters.map((letter, id) => {
    const said = { ...tableOf(base[letter]), ...tableOf(own[letter]) };
    const text = (key: string) => (typeof said[key] === "string" ? (said[key] as string) : "");
    const name = text("name") || letter;
    return {
      id,
      letter,
      name,
      also: [],
      help: text("help"),
      art: text("art") || name.toLowerCase().trim().split(/\s+/).join("-"),
      emblem: { dots: "", lines: "", fine: "", letter },
      royal: said.royal === true,
      soldier: false,
      values: {},
      promotes_to: text("promotes_to")
        .split(/[\s,]+/)
        .filter(Boolean),
    };
  });
}

export function tableOf(value: Toml | undefined): Record<string, Toml> {
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** Returns the size of the board that a text such as `8x8` says; without one, 8 by 8. */
export function sizeOfBoard(text: string): Size {
  const [, files, ranks] = /^(\d{1,2})x(\d{1,2})$/.exec(text.trim()) ?? [];
  const within = (side: string | undefined) => Math.min(MAX_SIDE, Math.max(MIN_SIDE, Number(side ?? 8)));
  return { files: within(files), ranks: within(ranks) };
}

/** Returns the FEN of the start: with the pieces that `place` changes as soon as the core has read it. */
export function startOf(draft: OpenDraft): string {
  const compiled = draft.game.value;
  if (draft.at(["game", "place"]) !== undefined && compiled?.text === draft.text.value) return compiled.game.startFen;
  return draft.textAt(["game", "start"]);
}

/** Returns the text of a draft with another start and, perhaps, another board. */
export function withStart(draft: OpenDraft, fen: string, board?: string): string {
  const own = draft.document.value?.at(["game", "place"]) !== undefined;
  const text = put(own ? drop(draft.text.value, ["game", "place"]) : draft.text.value, ["game", "start"], fen);
  return board ? put(text, ["game", "board"], board) : text;
}

/** Returns the pieces of a FEN that are on the board. */
export function piecesOf(fen: string, size: Size): PieceOn[] {
  return readPlacement(fen).filter(({ square }) => isSquare(square, size));
}

/** Returns the square that mirrors another, rank for rank. */
export function mirrored(square: string, ranks: number): string {
  return squareName(fileOf(square), ranks - 1 - rankOf(square));
}

/** Returns pieces on a board of another size: White's keep their squares, Black's their distance from the last rank. */
export function resized(pieces: PieceOn[], before: number, after: Size): PieceOn[] {
  const moved = pieces.map((piece) =>
    piece.side === "white"
      ? piece
      : { ...piece, square: squareName(fileOf(piece.square), rankOf(piece.square) + after.ranks - before) },
  );
  const seen = new Set<string>();
  return moved.filter(({ square }) => {
    const there = isSquare(square, after) && !seen.has(square);
    seen.add(square);
    return there;
  });
}
