// What the server would answer about positions, from the core in this browser. Answers are equal to the server's, which
// is asked where the core is not ready or does not know the game.

import { Refusal } from "../client/problem";
import type { MovesMade, MovesRequest, NodeMade, Position, PositionRequest, Reach } from "../wire";
import { type Board, type Core, type Game, gameOf, isReady, theCore, type Wanted } from "./index";

/**
 * Answers with the core, or else asks the server.
 *
 * @throws Refusal if the question has no answer, the same with both.
 */
export async function answered<T>(
  wanted: Wanted,
  here: (core: Core, game: Game) => T,
  ask: () => Promise<T>,
): Promise<T> {
  if (isReady()) return (await withCore(wanted, here)) ?? ask();
  try {
    return await ask();
  } catch (error) {
    // Without the server the core is worth waiting for.
    if (!(error instanceof Refusal && error.code === "offline")) throw error;
    const answer = await withCore(wanted, here);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** Answers with the core; `undefined` if it cannot. Waits for the core, if it is being loaded. */
export async function withCore<T>(wanted: Wanted, here: (core: Core, game: Game) => T): Promise<T | undefined> {
  const [core, game] = [await theCore(), await gameOf(wanted)];
  if (!core || !game) return undefined;
  try {
    return here(core, game);
  } catch (error) {
    if (!(error instanceof core.AcedrexError)) throw error;
    // Of what is wrong with a FEN or a move the core knows as much as the server. Of anything else the server may know
    // more.
    if (error.name === "AcedrexError") return undefined;
    throw new Refusal({ code: "invalid", message: error.message, where: null }, 400);
  }
}

/** The position after some moves from a setup or a FEN. */
export const positionIn =
  ({ setup, fen, moves = [] }: Omit<PositionRequest, "game">) =>
  (core: Core, game: Game): Position => {
    const start = setup == null ? (fen ?? undefined) : game.setups.fen(/^\d+$/.test(setup) ? Number(setup) : setup);
    const board = new core.Board(game, start === undefined ? {} : { fen: start });
    for (const move of moves) board.push(board.parseUci(move));
    return board.position();
  };

/** Makes moves, in coordinates or SAN. */
export const movesIn =
  ({ fen, moves }: Pick<MovesRequest, "fen" | "moves">) =>
  (core: Core, game: Game): MovesMade => {
    const board = new core.Board(game, { fen });
    const nodes = moves.map((text, index) => nodeMade(board, text, index - 1));
    return { nodes, position: board.position() };
  };

function nodeMade(board: Board, text: string, parent: number): NodeMade {
  const move = board.parseSan(text);
  const [san, side, turn] = [board.san(move), board.turn, board.fullmoveNumber];
  board.push(move);
  return { parent, move, san, side, turn, fen: board.fen(), comment: "", nags: [] };
}

/** Where the piece on a square could go: now, after a move of the other side, or if it stood alone on the board. */
export const reachIn =
  (fen: string, square: string, premove: boolean, alone: string | null) =>
  (core: Core, game: Game): Reach[] => {
    if (alone !== null) return game.reachAlone(alone, square);
    // Diagrams have no Kings.
    const board = new core.Board(game, { fen, unfinished: true });
    return premove ? board.premoves(square) : board.reach(square);
  };

/** Why the piece on a square has no legal move. */
export const idleIn =
  (fen: string, square: string) =>
  (core: Core, game: Game): { reason: string | null } => ({
    reason: new core.Board(game, { fen }).whyIdle(square),
  });
