// A list of tables, such as the conditions that end a game: a group of fields for each.

import { Plus, Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { OpenDraft } from "./open-draft";
import { tableOf } from "./piece-types";
import type { Path, Toml } from "./toml";
import { drop, put } from "./toml-edit";

/** As many as people write; the text keeps all. */
const MOST_SHOWN = 16;

export type Table = Record<string, Toml>;

/** One table of a list, and how its fields change it. */
export interface Row {
  table: Table;
  path: Path;
  /** Writes another table in its place. */
  change: (next: Table) => void;
  /** Sets a key, or leaves it out where it says what holds without it. */
  set: (key: string, value: Toml, otherwise: Toml) => void;
  /** Removes the table. */
  remove: () => void;
}

interface List {
  draft: OpenDraft;
  path: Path;
  /** A table to begin with. */
  fresh: Table;
  /** The words on the button that adds one. */
  add: ComponentChildren;
  /** The name of a group. */
  name: (number: number) => string;
  children: (row: Row) => ComponentChildren;
}

export function TableList({ draft, path, fresh, add, name, children }: List) {
  // Read anew for each change: two may come before this is drawn again.
  const now = (): Table[] => {
    const found = draft.at(path);
    return Array.isArray(found) ? found.map(tableOf) : [];
  };
  const write = (next: Table[]) => {
    const cleared = draft.document.value?.at(path) === undefined ? draft.text.value : drop(draft.text.value, path);
    draft.write(next.length > 0 ? put(cleared, path, next) : cleared, path.join("."));
  };
  const changeAt = (index: number, change: (table: Table) => Table) =>
    write(now().map((other, at) => (at === index ? change(other) : other)));
  return (
    <>
      {now()
        .slice(0, MOST_SHOWN)
        .map((table, index) => (
          <fieldset key={index} class="studio-group">
            <legend class="hidden">{name(index + 1)}</legend>
            {children({
              table,
              path: [...path, index],
              change: (next) => changeAt(index, () => next),
              set: (key, value, otherwise) =>
                changeAt(index, (now) => {
                  const { [key]: _, ...others } = now;
                  return value === otherwise ? others : { ...now, [key]: value };
                }),
              remove: () => write(now().filter((_, at) => at !== index)),
            })}
          </fieldset>
        ))}
      <button type="button" onClick={() => write([...now(), fresh])}>
        <Icon of={Plus} size={18} /> {add}
      </button>
    </>
  );
}

export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={onClick}>
      <Icon of={Trash2} size={18} />
    </button>
  );
}

interface ChoiceOf<Name extends string> {
  label: string;
  value: string;
  among: Record<Name, string>;
  onChange: (name: Name) => void;
}

export function Choice<Name extends string>({ label, value, among, onChange }: ChoiceOf<Name>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Name)}>
        {Object.entries<string>(among).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The side that a table is about. */
export function SideChoice({ row }: { row: Row }) {
  return (
    <Choice
      label={t("studio.side")}
      value={textOf(row, "side") || "both"}
      among={{ both: t("studio.side.both"), white: t("match.white"), black: t("match.black") }}
      onChange={(value) => row.set("side", value, "both")}
    />
  );
}

export function textOf({ table }: Row, key: string): string {
  const value = table[key];
  return typeof value === "string" ? value : "";
}
