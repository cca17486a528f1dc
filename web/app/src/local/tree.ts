// Reads trees of moves without the server, as it does.

import { refusal } from "../client/problem";
import type { NodeMade, Tree, TreeRequest } from "../wire";
import { loadGame } from "./load";

/** Makes the moves of a tree. Throws a refusal if one is not legal, or if there is no core. */
export async function treeOf({ game: id, options = {}, setup, fen, ...request }: TreeRequest): Promise<Tree> {
  const { core, game } = await loadGame({ game: id, options });
  try {
    const board = new core.Board(game, setup ? { setup } : fen ? { fen } : {});
    const startFen = board.fen();
    const name = game.setups.length > 0 ? board.setupName() : null;
    const nodes: NodeMade[] = [];
    const path: number[] = [];
    for (const { parent, move: text, comment = "", nags = [] } of request.nodes ?? []) {
      // The nodes are in depth-first order.
      while (path.length > 0 && path.at(-1) !== parent) {
        path.pop();
        board.pop();
      }
      const move = board.isLegal(text) ? text : board.parseSan(text);
      const made = { parent, move, san: board.san(move), side: board.turn, turn: board.fullmoveNumber };
      board.push(move);
      path.push(nodes.length);
      nodes.push({ ...made, fen: board.fen(), comment, nags });
    }
    return {
      game: game.id,
      options: game.chosenOptions,
      name: game.name,
      rules_hash: game.rulesHash,
      start_fen: startFen,
      setup: name,
      comment: request.comment ?? "",
      tags: request.tags ?? {},
      nodes,
      faults: [],
    };
  } catch (error) {
    throw refusal({ code: "invalid", message: String(error), where: null });
  }
}
