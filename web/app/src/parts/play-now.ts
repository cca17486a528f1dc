// Play now: takes an open challenge that fits or posts one, and begins a game with a house engine for the wait.

import { api } from "../client";
import { load, save } from "../client/storage";
import type { Refusal } from "../refusal";
import type { Challenge, GameSummary, TimeControl } from "../wire";
import { challenge, GENTLEST, TIMES } from "./house";

/** How fast a game is: with clocks in one sitting, or three days for every turn. */
export type Pace = "live" | "days";
export interface Choice {
  game: string;
  pace: Pace;
}

const PACES: Record<Pace, TimeControl> = { live: TIMES.live, days: TIMES.correspondence };
/** Live challenges with less or more main time are another kind of game. */
const [SHORTEST_MS, LONGEST_MS] = [300_000, 1_800_000];
const LONGEST_DAYS = 7;
/** The games of the quick choices, for newcomers first; each with both paces, so that with the last one they are nine. */
export const QUICK = ["magi", "metamachy", "zanzibar-s", "chieftain"];

/** Returns the choice of the last time, at first the gentlest game with clocks. */
export function lastChoice(): Choice {
  const found = load("play-now") as Partial<Choice> | null;
  const pace = found?.pace === "days" ? "days" : "live";
  return { game: typeof found?.game === "string" ? found.game : (QUICK[0] as string), pace };
}

/** Whether an open challenge is what somebody has chosen. */
export function fits({ game, time, rated }: Challenge, choice: Choice): boolean {
  if (rated || game.game !== choice.game || Object.keys(game.options).length > 0) return false;
  if (time.kind === "correspondence") return choice.pace === "days" && time.days_per_turn <= LONGEST_DAYS;
  if (time.kind === "none" || choice.pace === "days") return false;
  return time.initial_ms >= SHORTEST_MS && time.initial_ms <= LONGEST_MS;
}

/** The challenge of this browser's person that waits in the lobby, while they play a house engine. */
export function waitingChallenge(): string | null {
  const found = load("waiting");
  return typeof found === "string" ? found : null;
}

export const stopWaiting = () => save("waiting", null);

/** Begins a match by a choice and returns the id of the match to show. */
export async function playNow(choice: Choice, games: GameSummary[]): Promise<string> {
  save("play-now", choice);
  const summary = games.find(({ id }) => id === choice.game);
  const hasSetups = (summary?.setups ?? 0) > 1;
  const open = (await api.lobby()).filter((one) => fits(one, choice));
  for (const { match } of open.filter(({ mine }) => !mine)) {
    const taken = await api.accept(match, null).then(
      () => true,
      (error: Refusal) => {
        // Somebody else was faster.
        if (error.code === "taken" || error.code === "no_such_match") return false;
        throw error;
      },
    );
    if (taken) return match;
  }
  const own = open.find(({ mine }) => mine)?.match;
  save("waiting", own ?? (await post(choice, hasSetups)));
  const setup = hasSetups ? "random" : null;
  return challenge(GENTLEST, { id: choice.game, hasSetups }, { time: TIMES.none, side: "white", setup });
}

async function post({ game, pace }: Choice, hasSetups: boolean): Promise<string> {
  const { match } = await api.create({
    game: { game, options: {} },
    opponent: { kind: "lobby" },
    side: "random",
    time: PACES[pace],
    setup: hasSetups ? "random" : null,
    fen: null,
    hints: false,
    rated: false,
  });
  return match;
}
