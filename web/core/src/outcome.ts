// How games end.

import * as core from "../compiled/core.js";
import { AcedrexError, guard, text, whole } from "./errors.ts";
import type { Termination } from "./termination.ts";
import type { Side } from "./types.ts";

export type { Termination };

/** How a game ended. */
export interface Outcome {
  termination: Termination;
  winner: Side | null;
  /** The result as PGN writes it. */
  result: "1-0" | "0-1" | "1/2-1/2";
  /** The points, such as `3-1` with four-point scoring. */
  score: string;
  /** The game's limit for this kind of draw, as in `Game.drawLimits`; `null` for other endings. */
  limit: number | null;
}

/** Return why a game ended and who won, with the score if it is not that of chess. */
export function outcomeText({ termination, winner, score, limit }: Outcome, language = "en"): string {
  if (winner !== null && winner !== "white" && winner !== "black")
    throw new AcedrexError('winner: expected "white", "black" or null');
  const [reason, points, spoken] = [text("termination", termination), text("score", score), text("language", language)];
  const count = limit === null ? 0 : whole("limit", limit, 0, 1_000_000);
  return guard(() => core.ending_text(reason, winner ?? undefined, points, count, spoken));
}
