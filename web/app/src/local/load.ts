import { refusal } from "../client/problem";
import { type Core, type Game, gameOf, theCore } from "../core";
import type { GameChoice } from "../wire";

/** Loads the core and a game. Throws a refusal if this device does not have them. */
export async function loadGame(choice: GameChoice): Promise<{ core: Core; game: Game }> {
  const [core, game] = await Promise.all([theCore(), gameOf(choice)]);
  if (!core || !game) throw refusal("no_core");
  return { core, game };
}
