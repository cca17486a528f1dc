import { count, t } from "../i18n";
import type { TimeControl } from "../wire";

const minutes = (ms: number) => String(Math.round((ms / 60_000) * 10) / 10);
const seconds = (ms: number) => String(Math.round(ms / 1000));

/** The time controls of the new game page. They are slow, as games on large boards take long. */
export const presets: { key: string; time: TimeControl }[] = [
  { key: "none", time: { kind: "none" } },
  { key: "10+10", time: { kind: "fischer", initial_ms: 600_000, increment_ms: 10_000 } },
  { key: "20+15", time: { kind: "fischer", initial_ms: 1_200_000, increment_ms: 15_000 } },
  { key: "40+20", time: { kind: "fischer", initial_ms: 2_400_000, increment_ms: 20_000 } },
  { key: "15+3x30", time: { kind: "byoyomi", initial_ms: 900_000, period_ms: 30_000, periods: 3 } },
  { key: "2d+7", time: { kind: "correspondence", days_per_turn: 2, reserve_days: 7 } },
  { key: "3d+14", time: { kind: "correspondence", days_per_turn: 3, reserve_days: 14 } },
];

/** Returns a time control as text. */
export function timeText(time: TimeControl): string {
  switch (time.kind) {
    case "none":
      return t("time.none");
    case "fischer":
      return t("time.fischer", { minutes: minutes(time.initial_ms), seconds: seconds(time.increment_ms) });
    case "byoyomi":
      return t("time.byoyomi", {
        minutes: minutes(time.initial_ms),
        periods: time.periods,
        seconds: seconds(time.period_ms),
      });
    case "correspondence":
      return `${count("time.days", time.days_per_turn)} ${t("time.reserve", { days: count("days", time.reserve_days) })}`;
  }
}

/** Returns how much time is left, in days, hours or minutes. */
export function timeLeft(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 60_000));
  if (whole >= 48 * 60) return count("days", Math.floor(whole / 1440));
  return whole >= 60 ? `${Math.floor(whole / 60)} h` : `${whole} min`;
}
