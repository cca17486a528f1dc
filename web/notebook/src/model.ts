// What Python shows, and what it and the page say to each other: the shapes of acedrex.widget.

import type { Arrow, PieceKind, Position, Reach, SetupPhase, Side } from "@acedrex/board";

/** What stays the same while a game is played. */
export interface Game {
  files: number;
  ranks: number;
  kinds: PieceKind[];
  setup: SetupPhase | null;
}

export interface Shown {
  seat: Side | "both" | null;
  orientation: Side;
  /** While the setup is chosen: the one that was chosen last. */
  setup: { last: string | null } | null;
  arrows: Arrow[];
  note: string | null;
  status: string;
  /** Whether something can be taken back. */
  back: boolean;
  /** Pixels of width at most. */
  size: number;
}

/** What an engine has found, the best line first. */
export interface Lines {
  told: string;
  /** What White may expect, from 0 to 1. */
  chance: number | null;
  /** How many lines there will be at most. */
  most: number;
  lines: { score: string; san: string; arrows: Arrow[] }[];
}

interface State {
  _game: Game;
  _position: Position;
  _shown: Shown;
  _lines: Lines | null;
}

export type FromPage =
  | { type: "move" | "typed"; text: string; at: number }
  | { type: "undo" | "back"; at: number }
  | { type: "flip" }
  | { type: "setup"; text: string };

export type Question = { type: "reach" | "arranged"; text: string } | { type: "shuffle" };

export type FromPython =
  | { type: "refused"; text: string }
  | { type: "answer"; id: string; reach: Reach[] }
  | { type: "answer"; id: string; name: string; number: number | null; problem: string | null };

/** The model of a widget, as far as it is used here. */
export interface Model {
  get<K extends keyof State>(key: K): State[K];
  on(event: `change:${keyof State}`, callback: () => void): void;
  on(event: "msg:custom", callback: (message: FromPython) => void): void;
  off(event: string, callback: unknown): void;
  send(message: FromPage | (Question & { id: string })): void;
}
