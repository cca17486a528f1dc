// Clocks and evaluations in the comments of games: "[%clk 0:05:00] [%eval 0.35,20]".

import * as core from "../compiled/core.js";
import { guard, seconds as secondsOf, text, whole } from "./errors.ts";
import type { Score } from "./limit.ts";

/** An evaluation from White's point of view, and its depth in half-moves. A mate in 0 is on the board. */
export type Evaluation = Pick<Score, "cp" | "mate"> & { depth?: number | null };

/** Return the seconds left on the player's clock by a comment, `null` if it does not say. */
export function clockOf(comment: string): number | null {
  const checked = text("comment", comment);
  return guard(() => core.annotated_clock(checked)) ?? null;
}

/** Return a comment with these seconds on the player's clock, 0 for fewer; `null` removes them. */
export function withClock(comment: string, seconds: number | null): string {
  const checked = text("comment", comment);
  const shown = seconds === null ? undefined : secondsOf("seconds", seconds, -Number.MAX_VALUE);
  return guard(() => core.with_clock(checked, shown));
}

/** Return the evaluation in a comment, `null` if there is none. */
export function evaluationOf(comment: string): Evaluation | null {
  const checked = text("comment", comment);
  return (guard(() => core.annotated_evaluation(checked)) as Evaluation | undefined) ?? null;
}

/** Return a comment with this evaluation; `null` removes it. */
export function withEvaluation(comment: string, evaluation: Evaluation | null): string {
  const checked = text("comment", comment);
  const { cp = null, mate = null, depth = null } = evaluation ?? {};
  const given = (name: string, value: number | null) =>
    value === null ? undefined : whole(name, value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const values = [given("cp", cp), given("mate", mate), given("depth", depth)] as const;
  return guard(() => core.with_evaluation(checked, ...values));
}
