// Made by tools/make_types.py from crates/rules/src/outcome.rs. Change that, and run it.

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
  | "agreement"
  | "extinction"
  | "squares_reached"
  | "checks_given"
  | "perpetual_check";
