// What takes long or may never end, each in a worker of its own.

import { networks } from "../compiled/networks.js";
import { type Fault, seconds as secondsOf, text as textOf, whole } from "./errors.ts";
import type { Definition } from "./game.ts";
import { MAX_TREE_MOVES } from "./limits.ts";
import type { MoveList } from "./move-list.ts";
import { thePlatform } from "./platform.ts";
import { withSession } from "./session.ts";

/** How long a check may take by default, in seconds. */
const CHECK_SECONDS = 10;
/** How long reading a game may take by default, in seconds. */
const READ_SECONDS = 10;
const BENCH_SECONDS = 600;

/**
 * Return every fault of a definition's text, checked with its default options and with each value of each option.
 *
 * It runs in a worker, which is ended after some seconds: a text from a stranger cannot freeze a page.
 * Throws `AcedrexError` if it takes longer.
 */
export async function check(
  text: string,
  { file = "game.toml", seconds = CHECK_SECONDS }: { file?: string; seconds?: number } = {},
): Promise<Fault[]> {
  const message = { type: "check", text: textOf("text", text), file: textOf("file", file) } as const;
  const found = await withSession(secondsOf("seconds", seconds), (session) => session.ask(message));
  return found as Fault[];
}

/**
 * Read the first game of a PGN text as a list of its moves; `null` if there is none. `definitions` are games that do not
 * ship with this package, by their id.
 *
 * It runs in a worker, which is ended after some seconds: a text from a stranger cannot freeze a page. After `most` moves
 * the rest is left out. Throws `AcedrexError` if it takes longer.
 */
export async function readMoves(
  pgn: string,
  {
    definitions = {},
    seconds = READ_SECONDS,
    most = MAX_TREE_MOVES,
  }: { definitions?: Record<string, Definition>; seconds?: number; most?: number } = {},
): Promise<MoveList | null> {
  // Only texts can be sent to the worker.
  const shelf = Object.entries(definitions).map(([id, { text, file = "game.toml" }]) => {
    return [id, { text: textOf("text", text), file: textOf("file", file) }] as const;
  });
  const limit = whole("most", most, 1, 2 ** 31);
  const message = {
    type: "record",
    pgn: textOf("pgn", pgn),
    definitions: Object.fromEntries(shelf),
    most: limit,
  } as const;
  return (await withSession(secondsOf("seconds", seconds), (session) => session.ask(message))) as MoveList | null;
}

/**
 * Search a fixed set of positions of every game, in some seconds, and return the number of nodes: the signature of the
 * engine, which is the same on every machine and in every build.
 */
export async function bench(report: (game: string, nodes: number) => void = () => {}): Promise<number> {
  const files = Object.entries(networks).map(async ([id, address]) => [id, await thePlatform().read(address)] as const);
  const message = { type: "bench", networks: Object.fromEntries(await Promise.all(files)) } as const;
  const hear = ([game, nodes]: [string, number]): void => report(game, nodes);
  return (await withSession(BENCH_SECONDS, (session) => session.ask(message, hear))) as number;
}
