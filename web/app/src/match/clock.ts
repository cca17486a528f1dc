import { signal } from "@preact/signals";
import type { Clock, Side, TimeControl } from "../wire";

/** What a clock shows: the time that runs, and what there is besides. */
export interface Reading {
  ms: number;
  /** Whole byo-yomi periods still unused. */
  periods: number | null;
  /** Of a correspondence turn: what is used up after its days. */
  reserve_ms: number | null;
  /** Whether there is so little left that one should know. */
  low: boolean;
}

const HOUR = 3_600_000;
const LOWEST_MS = 10_000;
const LOW_SHARE = 0.1;

/** Reads a side's clock at a moment of the server's. A clock at nothing stays there until the server says so. */
export function read(clock: Clock, side: Side, time: TimeControl, now: number): Reading {
  const given = side === "white" ? clock.white_ms : clock.black_ms;
  const runs = clock.running === side;
  let ms = given - (runs ? Math.max(0, now - clock.at) : 0);
  let periods = clock.periods ? clock.periods[side] : null;
  if (time.kind === "byoyomi" && periods !== null) {
    while (ms <= 0 && periods > 0 && runs) {
      ms += time.period_ms;
      periods--;
    }
  }
  let reserve = clock.reserve ? clock.reserve[side] : null;
  if (reserve !== null && ms < 0) reserve = Math.max(0, reserve + ms);
  ms = Math.max(0, ms);
  return { ms, periods, reserve_ms: reserve, low: runs && ms + (reserve ?? 0) < lowBelow(time) };
}

function lowBelow(time: TimeControl): number {
  switch (time.kind) {
    case "fischer":
      return Math.max(LOWEST_MS, Math.min(60_000, time.initial_ms * LOW_SHARE));
    case "byoyomi":
      return LOWEST_MS;
    case "correspondence":
      return 24 * 3_600_000;
    case "none":
      return 0;
  }
}

/** Minutes and seconds, tenths when it gets close, days and hours when there are days. */
export function written(ms: number, days: (count: number) => string): string {
  if (ms >= 48 * HOUR) {
    // Hours are rounded up as seconds are.
    const hours = Math.ceil(ms / HOUR);
    return hours % 24 ? `${days(Math.floor(hours / 24))} ${hours % 24} h` : days(hours / 24);
  }
  // A clock that shows 0:00 is down: seconds are rounded up.
  if (ms < LOWEST_MS) return `0:0${(Math.ceil(ms / 100) / 10).toFixed(1)}`.replace("0:010.0", "0:10.0");
  const seconds = Math.ceil(ms / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** The time of day, told often enough for a clock; it stands still while nobody reads it. */
export const now = signal(Date.now());
let readers = 0;
let ticking: ReturnType<typeof setInterval> | undefined;

export function tick(): () => void {
  if (readers++ === 0) {
    now.value = Date.now();
    ticking = setInterval(() => {
      now.value = Date.now();
    }, 100);
  }
  return () => {
    if (--readers === 0) clearInterval(ticking);
  };
}
