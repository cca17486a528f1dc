// Castling as in chess, for the King and the outermost pieces of its rank: a proposal to be changed.

import { fileOf, rankOf, squareName } from "@acedrex/board";
import type { OpenDraft } from "./open-draft";
import { piecesOf, pieceTypesOf, sizeOfBoard, startOf } from "./piece-types";

export interface Proposal {
  list: { right: string; king: string; rook: string }[];
  /** The start with the rights. */
  start: string;
}

/** Returns castling towards both sides, as far as the start has a King and pieces of one kind on both sides of it. */
export function castlings(draft: OpenDraft): Proposal {
  const fen = startOf(draft);
  const pieceTypes = pieceTypesOf(draft);
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const first = piecesOf(fen, size).filter(({ square, side }) => side === "white" && rankOf(square) === 0);
  const kings = first.filter(({ letter }) => pieceTypes.some((kind) => kind.letter === letter && kind.royal));
  const [king] = kings;
  const none = { list: [], start: fen };
  if (!king || kings.length > 1) return none;
  const from = fileOf(king.square);
  const list: Proposal["list"] = [];
  for (const [right, side] of [
    ["K", 1],
    ["Q", -1],
  ] as const) {
    const beside = first.filter(({ square }) => Math.sign(fileOf(square) - from) === side);
    const rook = beside.sort((a, b) => Math.abs(fileOf(b.square) - from) - Math.abs(fileOf(a.square) - from))[0];
    // The King moves two squares, and the other piece to the square that it passed.
    if (!rook || Math.abs(fileOf(rook.square) - from) < 3) continue;
    list.push({
      right,
      king: `${king.square} ${squareName(from + 2 * side, 0)}`,
      rook: `${rook.square} ${squareName(from + side, 0)}`,
    });
  }
  const [placement = "", turn = "w", rights = "-", ...rest] = fen.split(" ");
  const more = list.flatMap(({ right }) => [right, right.toLowerCase()]).filter((right) => !rights.includes(right));
  const all = rights === "-" ? more : [...rights, ...more];
  const order = (right: string) => (right === right.toUpperCase() ? 0 : 1);
  const sorted = all.sort((a, b) => order(a) - order(b)).join("");
  return list.length > 0
    ? { list, start: [placement, turn, sorted || "-", ...(rest.length ? rest : ["-", "0", "1"])].join(" ") }
    : none;
}
