// The messages between an engine and its worker.

import type { PlainError } from "./errors.ts";
import type { Definition, GameParts } from "./game.ts";
import type { Question } from "./questions.ts";

/** The numbers of a limit, as the core reads them: with the clock of the side to move. */
export interface PlainLimit {
  time?: number | undefined;
  depth?: number | undefined;
  nodes?: number | undefined;
  mate?: number | undefined;
  clock?: number | undefined;
  increment?: number | undefined;
  remainingMoves?: number | undefined;
  overhead?: number | undefined;
}

/** A position: its game by a number that the worker knows, a FEN and the moves after it. */
export interface PlainBoard {
  fen: string;
  moves: string[];
}

/** The first message to a worker is `module`, a compiled core. */
export type ToWorker =
  | { type: "module"; module: WebAssembly.Module }
  | { type: "load"; game: GameParts }
  | { type: "game"; game: GameParts; hashMb: number; network: Uint8Array | null }
  | { type: "search"; board: PlainBoard; limit: PlainLimit; lines: number; rootMoves: string[] }
  | { type: "level"; board: PlainBoard; level: number; seed: bigint; rootMoves: string[] }
  | { type: "clear" }
  | { type: "check"; text: string; file: string }
  | { type: "record"; pgn: string; definitions: Record<string, Definition>; most: number }
  | { type: "question"; question: Question }
  | { type: "bench"; networks: Record<string, Uint8Array> };

/** A worker answers every message but reports with `done` or `failed`, in their order. */
export type FromWorker =
  | { type: "report"; value: unknown }
  | { type: "done"; value: unknown }
  | { type: "failed"; error: PlainError };
