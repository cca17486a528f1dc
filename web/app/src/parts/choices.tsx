import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A group of radio buttons. */
export function Choices<T extends string>({
  legend,
  value,
  among,
  onChange,
  help,
}: {
  legend: string;
  value: T;
  among: readonly { value: T; label: ComponentChildren; disabled?: boolean }[];
  onChange: (value: T) => void;
  help?: ComponentChildren;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="choices">
        {among.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              disabled={choice.disabled ?? false}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {help && <p class="help">{help}</p>}
    </fieldset>
  );
}

export function Check({
  label,
  checked,
  onChange,
  help,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  help?: string;
}) {
  return (
    <div class="field">
      <label class="check">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
        {label}
      </label>
      {help && <p class="help">{help}</p>}
    </div>
  );
}

/** A number field; a value out of bounds is corrected when the field is left. */
export function NumberField({
  label,
  value,
  min,
  max,
  step,
  onChange,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
}) {
  const name = useId();
  const within = (text: string) => {
    const number = Number(text);
    return Number.isFinite(number) && text.trim() !== "" ? Math.min(max, Math.max(min, number)) : value;
  };
  return (
    <div>
      <label for={name} class="small">
        {label}
      </label>
      <div>
        <input
          id={name}
          type="number"
          inputMode="decimal"
          min={min}
          max={max}
          step={step ?? 1}
          value={value}
          onChange={(event) => {
            const next = within(event.currentTarget.value);
            event.currentTarget.value = String(next);
            onChange(next);
          }}
        />
      </div>
    </div>
  );
}
