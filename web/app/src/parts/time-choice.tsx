import { t } from "../i18n";
import type { TimeControl } from "../wire";
import { NumberField } from "./choices";
import { presets, timeText } from "./time";

const customs: Record<Exclude<TimeControl["kind"], "none">, TimeControl> = {
  fischer: { kind: "fischer", initial_ms: 900_000, increment_ms: 10_000 },
  byoyomi: { kind: "byoyomi", initial_ms: 600_000, period_ms: 20_000, periods: 5 },
  correspondence: { kind: "correspondence", days_per_turn: 3, reserve_days: 10 },
};

const same = (a: TimeControl, b: TimeControl) => JSON.stringify(a) === JSON.stringify(b);

/** A time control from the list, or a custom one. */
export function TimeChoice({
  value,
  correspondence,
  clocked = false,
  onChange,
}: {
  value: TimeControl;
  correspondence: boolean;
  /** Whether there must be a clock. */
  clocked?: boolean;
  onChange: (time: TimeControl) => void;
}) {
  const offered = presets.filter(
    ({ time }) => (correspondence || time.kind !== "correspondence") && !(clocked && time.kind === "none"),
  );
  const preset = offered.find(({ time }) => same(time, value));
  const kinds = (Object.keys(customs) as (keyof typeof customs)[]).filter(
    (kind) => correspondence || kind !== "correspondence",
  );
  return (
    <div class="field">
      <label for="time">{t("time.clock")}</label>
      <select
        id="time"
        value={preset?.key ?? value.kind}
        onChange={(event) => {
          const key = event.currentTarget.value;
          const found = offered.find((preset) => preset.key === key)?.time;
          onChange(found ?? customs[key as keyof typeof customs]);
        }}
      >
        {offered.map(({ key, time }) => (
          <option key={key} value={key}>
            {timeText(time)}
          </option>
        ))}
        <optgroup label={t("time.own")}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`time.own.${kind}`)}
            </option>
          ))}
        </optgroup>
      </select>
      {!preset && <Custom value={value} onChange={onChange} />}
    </div>
  );
}

function Custom({ value, onChange }: { value: TimeControl; onChange: (time: TimeControl) => void }) {
  switch (value.kind) {
    case "none":
      return null;
    case "fischer":
      return (
        <div class="together own-time">
          <NumberField
            label={t("time.minutes")}
            min={0.5}
            max={300}
            step={0.5}
            value={value.initial_ms / 60_000}
            onChange={(minutes) => onChange({ ...value, initial_ms: Math.round(minutes * 60_000) })}
          />
          <NumberField
            label={t("time.increment")}
            min={0}
            max={300}
            value={value.increment_ms / 1000}
            onChange={(seconds) => onChange({ ...value, increment_ms: Math.round(seconds * 1000) })}
          />
        </div>
      );
    case "byoyomi":
      return (
        <div class="together own-time">
          <NumberField
            label={t("time.minutes")}
            min={0}
            max={300}
            step={0.5}
            value={value.initial_ms / 60_000}
            onChange={(minutes) => onChange({ ...value, initial_ms: Math.round(minutes * 60_000) })}
          />
          <NumberField
            label={t("time.periods")}
            min={1}
            max={20}
            value={value.periods}
            onChange={(periods) => onChange({ ...value, periods: Math.round(periods) })}
          />
          <NumberField
            label={t("time.period")}
            min={5}
            max={300}
            value={value.period_ms / 1000}
            onChange={(seconds) => onChange({ ...value, period_ms: Math.round(seconds * 1000) })}
          />
        </div>
      );
    case "correspondence":
      return (
        <div class="together own-time">
          <NumberField
            label={t("time.daysPerTurn")}
            min={1}
            max={30}
            value={value.days_per_turn}
            onChange={(days) => onChange({ ...value, days_per_turn: Math.round(days) })}
          />
          <NumberField
            label={t("time.reserveDays")}
            min={0}
            max={90}
            value={value.reserve_days}
            onChange={(days) => onChange({ ...value, reserve_days: Math.round(days) })}
          />
        </div>
      );
  }
}
