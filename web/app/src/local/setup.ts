import { refusal } from "../refusal";
import type { Setup } from "../wire";
import { loadGame } from "./load";

/** Returns a setup of a game that ships, by its name, its number or `random`, as the server does. */
export async function setupOf(id: string, which: string | number): Promise<Setup> {
  const { game } = await loadGame({ game: id });
  const { setups } = game;
  try {
    const number =
      which === "random"
        ? 1 + Math.floor(Math.random() * setups.length)
        : typeof which === "number"
          ? which
          : setups.number(which.toUpperCase());
    const name = setups.name(number);
    return { name, number, fen: setups.fen(name) };
  } catch (error) {
    throw refusal({ code: "no_such_setup", message: String(error), where: null });
  }
}
