// Matches as older versions stored them: moves and clocks instead of events.

import type { Core, Game } from "../core";
import type { Side } from "../wire";
import { type Event, firstEvents, type LocalRecord } from "./record";

type Left = Record<Side, number>;

interface OlderRecord extends Omit<LocalRecord, "events"> {
  events?: undefined;
  moves: string[];
  clock?: { left: Left; running: Side | null; since: number } | null;
  /** For each move, the time that both sides have again when it is taken back. */
  restored?: (Left | null)[];
  end: { what: "resigned" | "flagged"; by: Side } | { what: "agreed" | "claimed" | "aborted" } | null;
  rematch: string | null;
}

/** Returns the record with events, whatever version stored it. */
export function withEvents(core: Core, game: Game, stored: LocalRecord | OlderRecord): LocalRecord {
  if (stored.events) return stored;
  const { moves, clock, restored, end, rematch, ...rest } = stored;
  const record: LocalRecord = { ...rest, events: [], card: { ...rest.card, ply: moves.length } };
  const match = new core.Match(game, firstEvents(record));
  const state = () => match.state() as { turn: Side; phase: string; clock: { left: Left } | null };
  const add = (event: Event) => {
    match.apply(event);
    record.events.push(event);
  };
  moves.forEach((ply, index) => {
    const { turn, clock: before } = state();
    const after = restored?.[index]?.[turn];
    const spent = before && after !== undefined ? Math.max(0, before.left[turn] - after) : 0;
    add({ type: "ply", at: record.begun, ply, spent });
  });
  const at = clock?.since || record.changed;
  const { turn: by, phase } = state();
  const answered = (what: string, more = {}) => {
    add({ type: "offer", at, what, by, plies: 0 });
    add({ type: "answer", at, what, by: by === "white" ? "black" : "white", accept: true, ...more });
  };
  // A takeback of no moves sets the clocks: how they came to this was not stored.
  if (clock && phase === "play") answered("takeback", { left: clock.left });
  if (end?.what === "resigned") add({ type: "resign", at, by: end.by });
  if (end?.what === "flagged") add({ type: "flag", at, side: end.by });
  if (end?.what === "agreed") answered("draw");
  if (end?.what === "claimed") add({ type: "claim", at, what: "draw", by });
  if (end?.what === "aborted") add({ type: "abort", at, by });
  if (rematch !== null) answered("rematch", { rematch });
  return record;
}
