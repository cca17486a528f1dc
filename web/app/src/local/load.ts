import { bytesOf } from "../client/files";
import { refusal } from "../client/problem";
import { type Core, type Game, gameOf, theCore } from "../core";
import type { GameChoice } from "../wire";

/** Loads the core and a game. Throws a refusal if this device does not have them. */
export async function loadGame(choice: GameChoice): Promise<{ core: Core; game: Game }> {
  const [core, game] = await Promise.all([theCore(), gameOf(choice)]);
  if (!core || !game) throw refusal("no_core");
  return { core, game };
}

/** Loads the network of a game's engine; `null` if it cannot be had, as without a connection: the engine can do without. */
export async function networkOf(core: Core, game: string): Promise<Uint8Array | "none" | null> {
  const address = core.networks[game];
  return address ? bytesOf(address).catch(() => null) : "none";
}
