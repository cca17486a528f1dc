// Clocks of matches on this device: the arithmetic of `acedrex.server.match.clock`, for live time controls.

import type { Clock, Side, TimeControl } from "../wire";

/** The clock of a match. The time left of a side includes its byo-yomi periods. */
export interface Running {
  left: Record<Side, number>;
  running: Side | null;
  since: number;
}

/** Returns a clock that does not run yet; `null` for a match without. */
export function begun(time: TimeControl): Running | null {
  const ms = initial(time);
  return ms === null ? null : { left: { white: ms, black: ms }, running: null, since: 0 };
}

function initial(time: TimeControl): number | null {
  if (time.kind === "fischer") return time.initial_ms;
  return time.kind === "byoyomi" ? time.initial_ms + time.periods * time.period_ms : null;
}

function elapsed({ running, since }: Running, now: number): number {
  return running === null ? 0 : Math.max(0, now - since);
}

/** Returns how long a side has until its flag falls; `null` if no clock runs. */
export function untilFlag(clock: Running, now: number): number | null {
  return clock.running === null ? null : clock.left[clock.running] - elapsed(clock, now);
}

/** Returns the clock stopped. */
export function stopped(clock: Running, now: number): Running {
  const left = { ...clock.left };
  if (clock.running) left[clock.running] = Math.max(0, left[clock.running] - elapsed(clock, now));
  return { ...clock, left, running: null };
}

/** Returns what both sides have again when a move that is made now is taken back: `before_move` on the server. */
export function beforeMove(time: TimeControl, clock: Running, now: number): Running["left"] {
  const { left } = stopped(clock, now);
  const { running } = clock;
  return running && time.kind === "byoyomi" ? { ...left, [running]: afterTurn(time, left[running]) } : left;
}

/** Returns the clock after a move within a turn, or with `passed` after the last of a turn, when it is stopped. */
export function moved(time: TimeControl, clock: Running, passed: boolean, now: number): Running {
  const { running } = clock;
  const after = stopped(clock, now);
  if (!passed) return { ...after, running, since: now };
  if (running) after.left[running] = afterTurn(time, after.left[running]);
  return after;
}

function afterTurn(time: TimeControl, left: number): number {
  if (time.kind === "fischer") return left + time.increment_ms;
  if (time.kind !== "byoyomi" || left > time.periods * time.period_ms) return left;
  // A period that was started is renewed in full.
  return Math.ceil(left / time.period_ms) * time.period_ms;
}

/** Returns the clock as it is shown: main time apart from periods. The period that runs is shown as time. */
export function shown(time: TimeControl, clock: Running, now: number): Clock {
  const { white, black } = clock.running ? stopped(clock, now).left : clock.left;
  const rest = { running: clock.running, reserve: null, at: now };
  if (time.kind !== "byoyomi") return { white_ms: white, black_ms: black, periods: null, ...rest };
  const periodsOf = (ms: number) => {
    const left = Math.min(time.periods, Math.ceil(ms / time.period_ms));
    return ms > time.periods * time.period_ms ? left : Math.max(0, left - 1);
  };
  const periods = { white: periodsOf(white), black: periodsOf(black) };
  const main = (ms: number, count: number) => ms - count * time.period_ms;
  return { white_ms: main(white, periods.white), black_ms: main(black, periods.black), periods, ...rest };
}

/** Returns the value of the PGN tag `TimeControl`: `acedrex.server.match.clock.tag`, for live time controls. */
export function timeTag(time: TimeControl): string {
  if (time.kind === "fischer") return `${time.initial_ms / 1000}+${time.increment_ms / 1000}`;
  if (time.kind !== "byoyomi") return "-";
  return `${time.initial_ms > 0 ? `${time.initial_ms / 1000}:` : ""}1/${time.period_ms / 1000}`;
}

/** Returns hours, minutes and seconds, as `[%clk]` in PGN has them: `0:04:58.5`. */
export function clockText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1000).toFixed(3).replace(/\.?0+$/, "");
  const padded = seconds.split(".")[0]?.length === 1 ? `0${seconds}` : seconds;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${padded}`;
}
