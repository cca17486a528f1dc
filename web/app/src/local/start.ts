// Begins matches on this device.

import type { Core, Game } from "../core";
import { refusal } from "../refusal";
import type { Series, Side } from "../wire";
import { newId } from "./id";
import { loadGame } from "./load";
import { type Beginning, isArchivable, type LocalRecord, matches, store, timeOf } from "./record";

/** A match to begin: `setup` is a number, or how the setup is chosen; of a game without setups it says nothing. */
export interface Wish extends Omit<Beginning, "side" | "setup" | "arranging"> {
  side: Side | "random";
  setup: number | "choose" | "random";
}

/** Begins a match and returns its id. Throws a refusal if it cannot be played, or if nothing can be stored. */
export async function begin({ side, setup, ...wish }: Wish): Promise<string> {
  const { core, game } = await loadGame(wish);
  const seat = side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side;
  const start = wish.fen === null ? chosenSetup(game, wish.opponent, seat, setup) : startOf(core, game, wish.fen);
  return enter(game, { ...wish, side: seat, ...start });
}

/** Begins a match with the sides changed; the setup is chosen anew, by Black if Black chose it. */
export async function beginRematch(record: LocalRecord, { white, black, games }: Series): Promise<string> {
  const { game } = await loadGame(record);
  const side = record.side === "white" ? "black" : "white";
  const { opponent, level, options, fen, hints } = record;
  const again = { game: record.game, options, opponent, level, side, fen, hints, time: timeOf(record) } as const;
  // Two people at one device have no names that the points could belong to.
  const series = opponent === "self" ? null : { white: black, black: white, games };
  const how = record.arranging ? "choose" : "random";
  const setup = fen === null ? chosenSetup(game, opponent, side, how) : { setup: null, arranging: false };
  return enter(game, { ...again, ...setup, series });
}

/** Returns the setup, unless Black has to choose it; the engine as Black takes one at random. */
function chosenSetup(
  game: Game,
  opponent: Beginning["opponent"],
  side: Side,
  how: Wish["setup"],
): Pick<Beginning, "setup" | "arranging"> {
  const { setups } = game;
  if (setups.length === 0) return { setup: null, arranging: false };
  if (typeof how === "number") return { setup: setups.name(how), arranging: false };
  const arranging = how === "choose";
  if (arranging && (opponent === "self" || side === "black")) return { setup: null, arranging };
  return { setup: setups.name(1 + Math.floor(Math.random() * setups.length)), arranging };
}

/** Reads a position to begin from: a setup, the game's start, or another one. */
function startOf(core: Core, game: Game, fen: string): Pick<Beginning, "setup" | "arranging" | "fen"> {
  try {
    const board = new core.Board(game, { fen });
    if (board.isGameOver() || board.turnMoves.length > 0) throw new Error("the game is over, or inside a turn");
    const setup = game.setups.length > 0 ? board.setupName() : null;
    if (setup !== null && game.setups.fen(setup) === board.fen()) return { setup, arranging: false, fen: null };
    return { setup: null, arranging: false, fen: board.fen() === game.startFen ? null : board.fen() };
  } catch (error) {
    throw refusal({ code: "bad_position", message: String(error), where: null });
  }
}

async function enter(game: Game, start: Beginning): Promise<string> {
  const now = Date.now();
  const phase = start.arranging && start.setup === null ? "setup" : "play";
  const record: LocalRecord = {
    ...start,
    id: newId(),
    number: 1,
    begun: now,
    changed: now,
    rulesHash: game.rulesHash,
    source: game.fullSource,
    events: [],
    archived: false,
    card: {
      name: game.name,
      files: game.files,
      ranks: game.ranks,
      fen: start.fen ?? (start.setup === null ? game.startFen : game.setups.fen(start.setup)),
      turn: start.fen?.split(" ")[1] === "b" ? "black" : "white",
      phase,
      ending: null,
      ply: 0,
    },
  };
  await store(record);
  await prune();
  return record.id;
}

/** How many matches are kept, besides those that are going on or may still go into the archive. */
const MOST_KEPT = 500;

async function prune(): Promise<void> {
  const old = (await matches.latest<LocalRecord>(2 * MOST_KEPT)).slice(MOST_KEPT);
  for (const record of old) if (record.card.phase === "over" && !isArchivable(record)) await matches.remove(record.id);
}
