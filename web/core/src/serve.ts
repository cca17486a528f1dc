// A worker: it has a core of its own, and one engine.

import * as core from "../compiled/core.js";
import { guard, plainError } from "./errors.ts";
import type { GameParts } from "./game.ts";
import type { FromWorker, PlainBoard, ToWorker } from "./messages.ts";
import { listed } from "./move-list.ts";
import { startCore } from "./platform.ts";
import { answering } from "./questions.ts";

/** Return what a worker does with each message, given how it answers. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => Promise<void> {
  let game: core.Game | null = null;
  let engine: core.Engine | null = null;
  const answered = answering();
  const report = (value: unknown): void => post({ type: "report", value });

  function boardOf({ fen, moves }: PlainBoard): core.Board {
    const board = new core.Board(opened(game), fen, true);
    for (const move of moves) board.push(move);
    return board;
  }

  function answer(message: ToWorker): unknown {
    switch (message.type) {
      case "module":
        startCore(message.module);
        return null;
      case "load":
        gameOf(message.game).free();
        return null;
      case "game": {
        engine?.free();
        game?.free();
        engine = null;
        game = gameOf(message.game);
        engine = new core.Engine(game, message.hashMb, message.network);
        return null;
      }
      case "search": {
        const board = boardOf(message.board);
        return opened(engine).search(board, message.limit, message.lines, message.rootMoves, report);
      }
      case "level":
        return opened(engine).play_at_level(boardOf(message.board), message.level, message.seed, message.rootMoves);
      case "clear":
        engine?.clear();
        return null;
      case "check":
        return core.check(message.text, message.file);
      case "record":
        return listed(message.pgn, message.definitions, message.most);
      case "question":
        return answered(message.question, report);
      case "bench":
        return core.bench(message.networks, (id: string, nodes: number) => report([id, nodes]));
    }
  }

  return async (message) => {
    try {
      post({ type: "done", value: await guard(() => answer(message)) });
    } catch (error) {
      post({ type: "failed", error: plainError(error) });
    }
  };
}

function gameOf({ text, file, options, language, translation, stored }: GameParts): core.Game {
  return new core.Game(text, file, options, language, translation, stored);
}

function opened<T>(value: T | null): T {
  if (value === null) throw new Error("the message before this one failed");
  return value;
}
