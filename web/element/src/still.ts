// Pictures of positions of games that ship, without the core.

import games from "made:games";
import { readPlacement, stillPosition } from "../../board/src/fen.ts";
import type { PieceType, Position } from "../../board/src/types.ts";
import { short, Trouble, type Wanted } from "./wanted.ts";

/** What a picture shows. */
export interface Still {
  name: string;
  pieceTypes: PieceType[];
  position: Position;
}

/** Return whether a board needs no rules: its game ships, and it only shows a position. */
export function isStill({ game, definition, setup, moves, pgn, interactive, shown }: Wanted): boolean {
  return !(definition || setup !== null || moves.trim() || pgn || interactive || shown !== null || game.includes(":"));
}

/** Return the picture that can be drawn at once; `null` if only the core knows it. Throws `Trouble` if the FEN does not fit. */
export function stillOf({ game, definition, fen, setup, pgn, at, moves, language }: Wanted): Still | null {
  if (definition || setup !== null || pgn || game.includes(":") || (moves.trim() && at !== 0)) return null;
  const found = Object.hasOwn(games, game) ? games[game] : undefined;
  if (!found) return null;
  const french = language === "fr";
  const pieceTypes = found.kinds.map(([letter, art, en, fr], id) => kind(id, letter, art, french ? fr : en));
  const text = fen ?? found.start;
  const name = found.names[french ? 1 : 0];
  const position = stillPosition(text);
  check(text, found.start, pieceTypes, name);
  return { name, pieceTypes, position };
}

/** Check that a FEN has a board's ranks and files, and its letters. */
function check(fen: string, start: string, pieceTypes: PieceType[], name: string): void {
  const rows = rowsOf(fen);
  const wanted = rowsOf(start);
  const letters = new Set(pieceTypes.map(({ letter }) => letter));
  const fits =
    rows.length === wanted.length &&
    rows.every((row) => widthOf(row) === widthOf(wanted[0] ?? "")) &&
    readPlacement(fen).every(({ letter }) => letters.has(letter));
  if (!fits) throw new Trouble(`fen: ${short(fen)} is not a position of ${name}`);
}

function rowsOf(fen: string): string[] {
  return (fen.split(" ", 1)[0] ?? "").split("/", 17);
}

function widthOf(row: string): number {
  if (!/^(\d{1,2}|[A-Za-z]['!]?)+$/.test(row)) return -1;
  return [...row.matchAll(/\d+|[A-Za-z]['!]?/g)].reduce((sum, [token]) => sum + (Number(token) || 1), 0);
}

function kind(id: number, letter: string, art: string, name: string): PieceType {
  const emblem = { dots: "", lines: "", fine: "", letter };
  const unknown = { also: [], help: "", royal: false, soldier: false, values: {}, promotes_to: [] };
  return { id, letter, name, art, emblem, ...unknown };
}
