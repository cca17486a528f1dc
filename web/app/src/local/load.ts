import { bytesOf } from "../client/files";
import { type Core, type Game, gameOf, theCore } from "../core";
import { language } from "../i18n";
import { refusal } from "../refusal";
import type { GameChoice } from "../wire";
import type { LocalRecord } from "./record";

/** Loads the core and a game. Throws a refusal if this device does not have them. */
export async function loadGame(choice: GameChoice): Promise<{ core: Core; game: Game }> {
  const [core, game] = await Promise.all([theCore(), gameOf(choice)]);
  if (!core || !game) throw refusal("no_core");
  return { core, game };
}

/** Loads the game of a stored match with the rules that it began with. Throws a refusal if that cannot be done here. */
export async function loadStored({
  game: id,
  options,
  rulesHash,
  source,
}: LocalRecord): Promise<{ core: Core; game: Game }> {
  const [core, today] = await Promise.all([theCore(), gameOf({ game: id, options, rules_hash: rulesHash })]);
  if (!core) throw refusal("no_core");
  if (today) return { core, game: today };
  if (source === undefined) throw refusal("rules_changed");
  const game = await core.load({ text: source, file: id, stored: true }, { options, language: language.value });
  return { core, game };
}

/** Loads the network of a game's engine; `null` if it cannot be had, as without a connection: the engine can do without. */
export async function networkOf(core: Core, game: string): Promise<Uint8Array | "none" | null> {
  const address = core.networks[game];
  return address ? bytesOf(address).catch(() => null) : "none";
}
