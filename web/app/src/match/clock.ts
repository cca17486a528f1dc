import { signal } from "@preact/signals";
import type { Clock, Side, TimeControl } from "../wire";

/** What a clock shows. */
export interface Reading {
  ms: number;
  /** Whole byo-yomi periods left. */
  periods: number | null;
  /** The reserve of a correspondence match, which is used after the days of the turn. */
  reserve_ms: number | null;
  /** Whether the player should be warned that little time is left. */
  low: boolean;
}

const HOUR_MS = 3_600_000;
const LOWEST_MS = 10_000;
const LOW_SHARE = 0.1;

/** Returns what a side's clock shows at `now`, in the server's time. At zero it stays until the server decides. */
export function read(clock: Clock, side: Side, time: TimeControl, now: number): Reading {
  const startMs = side === "white" ? clock.white_ms : clock.black_ms;
  const runs = clock.running === side;
  // In days off it does not run yet.
  const since = Math.max(clock.at, clock.off[side] ?? 0);
  let ms = startMs - (runs ? Math.max(0, now - since) : 0);
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
      return 24 * HOUR_MS;
    case "none":
      return 0;
  }
}

/** Writes a time in minutes and seconds, under ten seconds with tenths, from two days on in days and hours. */
export function clockText(ms: number, days: (count: number) => string): string {
  if (ms >= 48 * HOUR_MS) {
    // Rounded up, as seconds are.
    const hours = Math.ceil(ms / HOUR_MS);
    return hours % 24 ? `${days(Math.floor(hours / 24))} ${hours % 24} h` : days(hours / 24);
  }
  // Rounded up, so that only a clock without time shows 0:00.
  if (ms < LOWEST_MS) return `0:0${(Math.ceil(ms / 100) / 10).toFixed(1)}`.replace("0:010.0", "0:10.0");
  const seconds = Math.ceil(ms / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** The time in milliseconds, updated ten times a second while a clock is shown. */
export const now = signal(Date.now());
let clocks = 0;
let ticking: ReturnType<typeof setInterval> | undefined;

/** Keeps `now` up to date; returns a function that ends it. */
export function tick(): () => void {
  if (clocks++ === 0) {
    now.value = Date.now();
    ticking = setInterval(() => {
      now.value = Date.now();
    }, 100);
  }
  return () => {
    if (--clocks === 0) clearInterval(ticking);
  };
}
