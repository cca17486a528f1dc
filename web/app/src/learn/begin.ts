import { api } from "../client";
import { orHere } from "../refusal";
import type { GameSummary } from "../wire";
import { beginFirstMatch } from "./progress";

/** The house engine of first games. */
const GENTLEST = "caladrius";

/** Begins a first game against the gentlest engine, without a network on this device; returns its id. */
export async function beginFirst({ id, setups }: Pick<GameSummary, "id" | "setups">): Promise<string> {
  const choice = { game: id, options: {} };
  const [side, hints] = ["white", true] as const;
  const created = api.create({
    game: choice,
    opponent: { kind: "house", engine: GENTLEST },
    side,
    time: { kind: "none" },
    setup: setups > 1 ? "random" : null,
    fen: null,
    hints,
  });
  const match = await orHere(
    created.then((made) => made.match),
    async () => {
      const { begin } = await import("../local/start");
      return begin({ ...choice, opponent: "engine", level: 1, side, setup: "random", fen: null, hints });
    },
  );
  beginFirstMatch(match);
  return match;
}
