import { api } from "../client";
import * as ask from "../client/analysis";
import * as database from "../client/database";
import { isLocal } from "../local/id";
import { refusal } from "../refusal";
import type { Snapshot } from "../wire";
import { matchAnalysis } from "./saved";
import { saveNew } from "./study";

/** Returns the id of a finished match's analysis: the saved one, or a new one. */
export async function saveMatch(match: string): Promise<string> {
  const id = matchAnalysis(match);
  if (await database.read(id)) return id;
  const { phase, game, start_fen, moves, players, ending, seat } = await snapshotOf(match);
  if (phase !== "over") throw refusal({ code: "still_played", message: "", where: null });
  const tree = await ask.tree({
    game: game.game,
    options: game.options,
    fen: start_fen,
    nodes: moves.map(({ move }, index) => ({ parent: index - 1, move, comment: "", nags: [] })),
    tags: {
      ...(players.white.name && { White: players.white.name }),
      ...(players.black.name && { Black: players.black.name }),
      ...(ending && { Result: ending.result }),
      ...(ending && ending.score !== ending.result && { Score: ending.score }),
    },
  });
  return saveNew(tree, { id, at: moves.length, orientation: seat === "black" ? "black" : "white" });
}

async function snapshotOf(match: string): Promise<Snapshot> {
  return isLocal(match) ? (await (await import("../local/play")).openPlay(match)).snapshot() : api.match(match);
}
