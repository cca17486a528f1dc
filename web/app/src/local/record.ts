// Matches on this device as the browser stores them: how they began, and what was decided since.

import { database, type Stored } from "../client/database";
import { identity } from "../client/identity";
import { t } from "../i18n";
import { refusal } from "../refusal";
import type { Ending, MatchCard, Phase, Side, TimeControl } from "../wire";
import type { Running } from "./clock";

/** How a match ended, where the moves do not tell. */
export type End = { what: "resigned" | "flagged"; by: Side } | { what: "agreed" | "claimed" | "aborted" };

/** What a match needs to begin. */
export interface Beginning {
  game: string;
  /** The options that differ from their defaults. */
  options: Record<string, string>;
  opponent: "engine" | "self";
  /** The level of the engine. */
  level: number;
  /** The side of the person who plays the engine. */
  side: Side;
  /** The setup's name; `null` if there is none, or if Black has yet to choose it. */
  setup: string | null;
  /** Whether Black chooses the setup, before the first move. */
  arranging: boolean;
  /** The position to begin from, if it is neither the game's start nor a setup. */
  fen: string | null;
  hints: boolean;
  /** The time control, which is live; none if it is left out, as in older matches. */
  time?: TimeControl;
}

export interface LocalRecord extends Stored, Beginning {
  /** How often it was changed: a change whose number is not higher than what is stored is not stored. */
  number: number;
  begun: number;
  rulesHash: string;
  /** The definition that the match began with; not in older matches. */
  source?: string;
  moves: string[];
  /** Once the match is played with a clock. */
  clock?: Running | null;
  /** For each move, the time that both sides have again when it is taken back; not for moves of older versions. */
  restored?: (Running["left"] | null)[];
  end: End | null;
  /** The id of the rematch. */
  rematch: string | null;
  /** Whether it was taken into the archive. */
  archived: boolean;
  /** What a list shows without playing the match through. */
  card: { name: string; files: number; ranks: number; fen: string; turn: Side; phase: Phase; ending: Ending | null };
}

/** The matches that this browser stores, in a database of their own. */
export const matches = database("acedrex.matches", "matches");

/**
 * Stores a new match, or a change of one, unless another tab has changed it first; returns whether it was stored. The
 * changes before it may not have been stored, when there was no room.
 */
export async function store(record: LocalRecord): Promise<boolean> {
  try {
    return await matches.replace<LocalRecord>(record, (stored) => (stored?.number ?? 0) < record.number);
  } catch {
    throw refusal("no_storage");
  }
}

/** Whether a match is finished, with moves, and not in the archive yet. */
export function isArchivable({ card, moves, end, archived }: LocalRecord): boolean {
  return card.phase === "over" && end?.what !== "aborted" && moves.length > 0 && !archived;
}

export const timeOf = ({ time = { kind: "none" } }: Beginning): TimeControl => time;

/** Returns the names of the players. */
export function playersOf({ opponent, level, side }: Beginning): Record<Side, string> {
  if (opponent === "self") return { white: t("side.white"), black: t("side.black") };
  const [person, engine] = [identity.value?.name || t("local.you"), `Acedrex ${level}`];
  return side === "white" ? { white: person, black: engine } : { white: engine, black: person };
}

/** Returns a match as lists show it. */
export function cardOf(record: LocalRecord): MatchCard {
  const { name, files, ranks, fen, turn, phase, ending } = record.card;
  const mine = phase === "setup" ? "black" : turn;
  return {
    match: record.id,
    game: { id: record.game, name, files, ranks },
    players: playersOf(record),
    time: timeOf(record),
    phase,
    ply: record.moves.length,
    fen,
    your_turn: phase === "over" ? false : record.opponent === "self" || record.side === mine,
    ending,
    at: record.changed,
  };
}
