// Fields of forms: each shows one key of the definition, and writes it.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { OpenDraft } from "./open-draft";
import type { Path, Toml } from "./toml";

interface Field {
  draft: OpenDraft;
  path: Path;
  label: ComponentChildren;
  help?: ComponentChildren;
}

/** A text and the key that has it. */
export function TextField({
  path,
  label,
  help,
  rows,
  placeholder,
  value,
  onChange,
}: Omit<Field, "draft"> & {
  rows?: number;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const change = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  const all = { id, value, placeholder, onInput: change };
  return (
    <div class="field">
      <Label id={id} path={path}>
        {label}
      </Label>
      {rows ? (
        <textarea {...all} rows={rows} maxLength={8000} />
      ) : (
        <input {...all} maxLength={400} autocomplete="off" />
      )}
      {help && <p class="help">{help}</p>}
    </div>
  );
}

/** A text; if it is empty, the key is left out. */
export function TextKey({ draft, ...field }: Field & { rows?: number; placeholder?: string }) {
  const { path } = field;
  const change = (value: string) => (value ? draft.put(path, value, path.join(".")) : draft.clear(path));
  return <TextField {...field} value={draft.textAt(path)} onChange={change} />;
}

/** One of several values; the default, the first, is left out. */
export function ChoiceKey({
  draft,
  path,
  label,
  help,
  among,
}: Field & { among: readonly { value: Toml; label: string }[] }) {
  const id = useId();
  const now = draft.at(path) ?? among[0]?.value;
  const place = among.findIndex(({ value }) => value === now);
  return (
    <div class="field">
      <Label id={id} path={path}>
        {label}
      </Label>
      <select
        id={id}
        value={String(place)}
        onChange={({ currentTarget }) => {
          const chosen = Number(currentTarget.value);
          const value = among[chosen]?.value;
          if (value === undefined) return;
          if (chosen === 0 && draft.inherited(path) === undefined) draft.drop(path);
          else draft.put(path, value);
        }}
      >
        {place < 0 && <option value="-1">{JSON.stringify(now)}</option>}
        {among.map(({ label: text }, index) => (
          <option key={text} value={String(index)}>
            {text}
          </option>
        ))}
      </select>
      {help && <p class="help">{help}</p>}
    </div>
  );
}

/** A switch; its default is left out. */
export function FlagKey({ draft, path, label, help, otherwise = false }: Field & { otherwise?: boolean }) {
  const now = draft.at(path) ?? otherwise;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={now === true}
          onChange={({ currentTarget: { checked } }) =>
            checked === otherwise && draft.inherited(path) === undefined ? draft.drop(path) : draft.put(path, checked)
          }
        />
        <span>
          {label} <Key path={path} />
        </span>
      </label>
      {help && <p class="help">{help}</p>}
    </div>
  );
}

/** Two numbers, such as when a draw can be claimed and when the game is drawn. */
export function PairKey({ draft, path, label, help, otherwise }: Field & { otherwise: readonly [number, number] }) {
  const id = useId();
  const found = draft.at(path);
  const [first, second] = Array.isArray(found) ? found : otherwise;
  const set = (place: number, text: string) => {
    const next = [Number(first), Number(second)];
    next[place] = Number(text);
    draft.put(path, next);
  };
  return (
    <fieldset class="field" aria-describedby={id}>
      <legend>
        {label} <Key path={path} />
      </legend>
      <div class="together">
        {[first, second].map((number, place) => (
          <input
            key={place === 0 ? "first" : "second"}
            type="number"
            min={0}
            aria-label={String(place + 1)}
            value={String(number)}
            onChange={({ currentTarget }) => set(place, currentTarget.value)}
          />
        ))}
      </div>
      {help && (
        <p class="help" id={id}>
          {help}
        </p>
      )}
    </fieldset>
  );
}

function Label({ id, path, children }: { id: string; path: Path; children: ComponentChildren }) {
  return (
    <label for={id}>
      {children} <Key path={path} />
    </label>
  );
}

/** The key as the text has it, so that the text can be read with the form. */
export function Key({ path }: { path: Path }) {
  return <code class="studio-key">{path.filter((key) => typeof key === "string").join(".")}</code>;
}
