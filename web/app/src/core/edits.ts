// What the server answers about attacks and edited positions, from the core in this browser: the same answers.

import { otherSide, squareName, symbolOf } from "@acedrex/board";
import { Board } from "../../../core/src/board.ts";
import { guard, InvalidFenError } from "../../../core/src/errors.ts";
import type { Game } from "../../../core/src/game.ts";
import type { Attacks, Edited, EditRequest, Right } from "../wire";

/** Counts the attackers of each square, and lists the pieces that nothing defends or that one of less value attacks. */
export function attacks(game: Game, fen: string): Attacks {
  const board = new Board(game, { fen });
  const squares: Attacks["squares"] = [];
  for (const square of squaresOf(game)) {
    const [white, black] = [board.attackers("white", square).length, board.attackers("black", square).length];
    if (white > 0 || black > 0) squares.push({ square, white, black });
  }
  // A kind's value is from the first of the game's lists that has it; a royal piece is worth most.
  const values = new Map(
    game.pieces.map(({ letter, royal, values = {} }) => [letter, royal ? Infinity : (Object.values(values)[0] ?? 0)]),
  );
  const worth = (letter: string) => values.get(letter) ?? 0;
  const { pieces } = board;
  const letters = new Map(pieces.map(({ square, letter }) => [square, letter]));
  const threats = pieces.flatMap(({ square, letter, side }) => {
    const attackers = board.attackers(otherSide(side), square);
    const defended = attackers.length > 0 && board.attackers(side, square).length > 0;
    return attackers
      .filter((from) => !defended || worth(letters.get(from) ?? "") < worth(letter))
      .map((from) => ({ from, to: square }));
  });
  return { squares, threats };
}

function squaresOf({ files, ranks }: Game): string[] {
  const names = (rank: number) => Array.from({ length: files }, (_, file) => squareName(file, rank));
  return Array.from({ length: ranks }, (_, rank) => names(rank)).flat();
}

/** Returns an edited position, legal or not, without the rights whose pieces are missing. */
export function edited(game: Game, { fen, pieces = [], turn, rights = "" }: Omit<EditRequest, "game">): Edited {
  const start = new Board(game);
  const board = fen == null ? new Board(game) : new Board(game, { fen, unfinished: true });
  if (fen == null) {
    board.clear();
    for (const piece of pieces) board.setPieceAt(piece.square, symbolOf(piece));
    board.turn = turn ?? "white";
    board.rights = [...rights].filter((letter) => canHave(board, letter)).join("") || "-";
  }
  const letters = new Set([...start.rights, ...board.rights]);
  const known = guard(() => game.core.rights()) as Omit<Right, "possible">[];
  return {
    fen: board.fen(),
    pieces: board.pieces,
    turn: board.turn,
    rights: board.rights,
    known_rights: known
      .filter(({ letter }) => letters.has(letter))
      .map((right) => ({ ...right, possible: canHave(board, right.letter) })),
    problems: board.status(),
  };
}

/** Whether the pieces that a right needs are in place; if not, the core refuses the right. */
function canHave(board: Board, letter: string): boolean {
  const trial = board.copy(0);
  try {
    trial.rights = letter;
  } catch (error) {
    if (error instanceof InvalidFenError) return false;
    throw error;
  }
  return letter !== "-";
}
