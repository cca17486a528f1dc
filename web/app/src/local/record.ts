// Matches on this device as the browser stores them: how they began, and what was decided since.

import { database, type Stored } from "../client/database";
import { identity } from "../client/identity";
import { t } from "../i18n";
import { refusal } from "../refusal";
import type { Ending, MatchCard, Phase, Series, Side, TimeControl } from "../wire";

/** An event as the server stores it: its kind, when it happened, and more. */
export interface Event {
  type: string;
  at: number;
  [field: string]: unknown;
}

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
  /** The score of the matches of which this one is the rematch. */
  series?: Series | null;
}

export interface LocalRecord extends Stored, Beginning {
  /** How often it was changed: a change whose number is not higher than what is stored is not stored. */
  number: number;
  begun: number;
  rulesHash: string;
  /** The definition that the match began with; not in older matches. */
  source?: string;
  /** What happened since it began. Matches of older versions have `moves` and more instead: see `withEvents`. */
  events: Event[];
  moves?: unknown[];
  /** Whether it was taken into the archive. */
  archived: boolean;
  /** What a list shows without playing the match through. */
  card: Card;
}

interface Card {
  name: string;
  files: number;
  ranks: number;
  fen: string;
  turn: Side;
  phase: Phase;
  ending: Ending | null;
  /** The number of moves; not in older matches. */
  ply?: number;
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
export function isArchivable(record: LocalRecord): boolean {
  const { card, archived } = record;
  return card.phase === "over" && card.ending?.reason !== "aborted" && plyOf(record) > 0 && !archived;
}

const plyOf = ({ card, moves = [] }: LocalRecord): number => card.ply ?? moves.length;

/** Returns the events with which a match begins. */
export function firstEvents(record: LocalRecord): Event[] {
  const { game, options, opponent, level, side, setup, arranging, fen, hints, series = null } = record;
  const { begun: at, rulesHash: rules_hash } = record;
  const players = (seat: Side): Event => {
    const isPerson = opponent === "self" || seat === side;
    // The names are in the language of whoever looks.
    return { type: "seat", at, side: seat, person: isPerson ? "here" : null, name: "", level: isPerson ? null : level };
  };
  const created = {
    ...{ type: "created", at, game, file: game, options, definition: "", rules_hash, opponent, time: timeOf(record) },
    ...{ side, setup, arranging: arranging && setup === null ? "player" : null, hints, fen, tags: {}, series },
  };
  return [created, players("white"), players("black")];
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
    ply: plyOf(record),
    fen,
    deadline: null,
    your_turn: phase === "over" ? false : record.opponent === "self" || record.side === mine,
    ending,
    at: record.changed,
    rated: false,
    profiles: {},
  };
}
