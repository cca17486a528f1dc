import { api, Refusal } from "../client";
import type { Wanted } from "../core";
import { refusalText } from "./loaded";

/** Returns what a board asks about typed text: the legal move that it means. Errors are in the language of the page. */
export function readTyped(choice: Wanted, fen: string): (text: string) => Promise<string | null> {
  return (text) =>
    api.readMove(choice, fen, text).catch((error: unknown) => {
      throw error instanceof Refusal ? new Error(refusalText(error)) : error;
    });
}
