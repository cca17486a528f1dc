// The public names.

export { clockOf, type Evaluation, evaluationOf, withClock, withEvaluation } from "./annotations.ts";
export { Board, type BoardStart, type Move, type MoveInfo, type Problem } from "./board.ts";
export { Engine, type EngineOptions, type SearchOptions } from "./engine.ts";
export {
  AcedrexError,
  AmbiguousMoveError,
  DefinitionError,
  type Fault,
  IllegalMoveError,
  InvalidFenError,
  InvalidMoveError,
} from "./errors.ts";
export {
  type Definition,
  Game,
  type GameOption,
  games,
  type LoadOptions,
  languages,
  load,
  type Setups,
} from "./game.ts";
export type { Info, Limit, PlayResult, Score } from "./limit.ts";
export type { ListedMove, MoveList } from "./move-list.ts";
export { type Outcome, outcomeText, type Termination } from "./outcome.ts";
export { type PgnError, PgnGame, PgnNode, pgnTermination, readPgn } from "./pgn.ts";
export type { Described, Plain, Played, Reached, Studied } from "./questions.ts";
export { Remote, type RemoteBoard } from "./remote.ts";
export { bench, check, readMoves } from "./tasks.ts";
export type { GamePieceType, LegalMove, PieceOn, PieceType, Position, Reach, Side } from "./types.ts";
