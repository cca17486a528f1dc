import { api } from "../client";
import * as ask from "../client/analysis";
import * as database from "../client/database";
import { isLocal } from "../local/id";
import { refusal } from "../refusal";
import type { Snapshot, Tree } from "../wire";
import { matchAnalysis, readSaved, type SavedAnalysis } from "./saved";
import { saveNew } from "./study";
import { added, START } from "./tree";

/** Returns the id of a finished match's analysis: the saved one, or a new one. */
export async function saveMatch(match: string): Promise<string> {
  const id = matchAnalysis(match);
  if (await database.read(id)) return id;
  const snapshot = await snapshotOf(match);
  if (snapshot.phase !== "over") throw refusal({ code: "still_played", message: "", where: null });
  return save(id, snapshot);
}

/** Saves what a player plans in a match in progress, with the moves that were made since. */
export async function savePlan(id: string, match: string): Promise<void> {
  const [saved, snapshot] = await Promise.all([readSaved(id), snapshotOf(match)]);
  if (!snapshot.seat) throw refusal({ code: "still_played", message: "", where: null });
  if (!saved) {
    await save(id, snapshot);
    return;
  }
  const [grown, at] = added(saved.tree, START, (await treeOf(snapshot)).nodes);
  const next: SavedAnalysis = { ...saved, tree: grown, at };
  await database.save(next);
}

async function save(id: string, snapshot: Snapshot): Promise<string> {
  const orientation = snapshot.seat === "black" ? "black" : "white";
  return saveNew(await treeOf(snapshot), { id, at: snapshot.moves.length, orientation });
}

function treeOf({ game, start_fen, moves, players, ending }: Snapshot): Promise<Tree> {
  return ask.tree({
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
}

async function snapshotOf(match: string): Promise<Snapshot> {
  return isLocal(match) ? (await (await import("../local/play")).openPlay(match)).snapshot() : api.match(match);
}
