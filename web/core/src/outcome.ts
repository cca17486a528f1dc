// How games end.

import type { Side } from "./types.ts";

/** Why a game is over. */
export type Termination =
  | "checkmate"
  | "stalemate"
  | "royals_captured"
  | "bare_king"
  | "bare_kings"
  | "dead_position"
  | "threefold_repetition"
  | "fivefold_repetition"
  | "fifty_moves"
  | "seventyfive_moves"
  | "double_pass"
  | "no_moves"
  | "resignation"
  | "time"
  | "abandonment"
  | "agreement";

/** How a game ended. */
export interface Outcome {
  termination: Termination;
  winner: Side | null;
  /** The result as PGN writes it. */
  result: "1-0" | "0-1" | "1/2-1/2";
  /** The points, such as `3-1` with four-point scoring. */
  score: string;
}
