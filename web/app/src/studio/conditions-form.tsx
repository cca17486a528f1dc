import { Plus, Trash2 } from "lucide";
import { useId } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Key, TextField } from "./fields";
import type { OpenDraft } from "./open-draft";
import { type Picking, SquaresField } from "./picking";
import { tableOf } from "./piece-types";
import type { Toml } from "./toml";
import { drop, put } from "./toml-edit";

const PATH = ["end", "conditions"];
/** As many as people write; the text keeps all. */
const MOST_SHOWN = 16;
/** What a condition can test, and what it begins with. */
const TESTS = { extinct: "all", reach: "last rank", checks: 3 } as const;
type Test = keyof typeof TESTS;
type Table = Record<string, Toml>;

/** The conditions that end a game besides mate. */
export function Conditions({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  // Read anew for each change: two may come before this is drawn again.
  const now = (): Table[] => {
    const found = draft.at(PATH);
    return Array.isArray(found) ? found.map(tableOf) : [];
  };
  const write = (next: Table[]) => {
    const cleared = draft.document.value?.at(PATH) === undefined ? draft.text.value : drop(draft.text.value, PATH);
    draft.write(next.length > 0 ? put(cleared, PATH, next) : cleared, "end.conditions");
  };
  return (
    <>
      <h3>
        {t("studio.conditions")} <Key path={PATH} />
      </h3>
      <p class="help">{t("studio.conditions.help")}</p>
      {now()
        .slice(0, MOST_SHOWN)
        .map((condition, index) => (
          <Condition
            key={index}
            draft={draft}
            picking={picking}
            condition={condition}
            number={index + 1}
            onChange={(change) => write(now().map((other, at) => (at === index ? change(other) : other)))}
            onRemove={() => {
              picking.choose(null);
              write(now().filter((_, at) => at !== index));
            }}
          />
        ))}
      <button type="button" onClick={() => write([...now(), { reach: TESTS.reach }])}>
        <Icon of={Plus} size={18} /> {t("studio.conditions.add")}
      </button>
    </>
  );
}

interface One {
  draft: OpenDraft;
  picking: Picking;
  condition: Table;
  number: number;
  onChange: (change: (now: Table) => Table) => void;
  onRemove: () => void;
}

function Condition({ draft, picking, condition, number, onChange, onRemove }: One) {
  const test = (Object.keys(TESTS) as Test[]).find((name) => name in condition) ?? "reach";
  const usual = test === "extinct" ? "loss" : "win";
  /** Sets a key, or leaves it out where it says what holds without it. */
  const set = (key: string, value: Toml, otherwise: Toml) => {
    onChange((now) => {
      const { [key]: _, ...others } = now;
      return value === otherwise ? others : { ...now, [key]: value };
    });
  };
  const choose = (next: Test) => {
    picking.choose(null);
    onChange(() => ({ [next]: TESTS[next] }));
  };
  const textAt = (key: string) => (typeof condition[key] === "string" ? condition[key] : "");
  const count = (key: "at_most" | "against" | "count" | "checks", otherwise: number) => (
    <NumberField
      label={t(`studio.conditions.${key}`)}
      value={typeof condition[key] === "number" ? condition[key] : otherwise}
      onChange={(value) => set(key, value, key === "checks" ? -1 : otherwise)}
    />
  );
  const pieces = (key: string, otherwise: string) => (
    <TextField
      path={[...PATH, key]}
      label={t("studio.conditions.pieces")}
      placeholder="all"
      value={textAt(key)}
      onChange={(value) => set(key, value, otherwise)}
    />
  );
  return (
    <fieldset class="studio-group">
      <legend class="hidden">{t("studio.conditions.number", { number })}</legend>
      <div class="together">
        <Choice
          label={t("studio.conditions.test")}
          value={test}
          among={{
            extinct: t("studio.conditions.extinct"),
            reach: t("studio.conditions.reach"),
            checks: t("studio.conditions.checks.given"),
          }}
          onChange={choose}
        />
        <button
          type="button"
          class="quiet"
          aria-label={t("studio.conditions.remove", { number })}
          title={t("studio.conditions.remove", { number })}
          onClick={onRemove}
        >
          <Icon of={Trash2} size={18} />
        </button>
      </div>
      {test === "extinct" && (
        <>
          {pieces("extinct", "none")}
          <div class="together">
            {count("at_most", 0)}
            {count("against", 0)}
          </div>
        </>
      )}
      {test === "reach" && (
        <>
          <SquaresField
            draft={draft}
            picking={picking}
            path={[...PATH, number - 1, "reach"]}
            label={t("studio.conditions.squares")}
            placeholder="last rank"
            value={textAt("reach")}
            onChange={(value) => set("reach", value, "none")}
          />
          {pieces("pieces", "")}
          {count("count", 1)}
        </>
      )}
      {test === "checks" && count("checks", 3)}
      <div class="together">
        <Choice
          label={t("studio.conditions.result")}
          value={textAt("result") || usual}
          among={{
            win: t("studio.conditions.result.win"),
            draw: t("studio.conditions.result.draw"),
            loss: t("studio.conditions.result.loss"),
          }}
          onChange={(value) => set("result", value, usual)}
        />
        <Choice
          label={t("studio.conditions.side")}
          value={textAt("side") || "both"}
          among={{ both: t("studio.conditions.side.both"), white: t("match.white"), black: t("match.black") }}
          onChange={(value) => set("side", value, "both")}
        />
      </div>
      {test !== "checks" && (
        <label class="check">
          <input
            type="checkbox"
            checked={condition.answer === true}
            onChange={({ currentTarget: { checked } }) => set("answer", checked, false)}
          />
          <span>{t("studio.conditions.answer")}</span>
        </label>
      )}
    </fieldset>
  );
}

interface ChoiceOf<Name extends string> {
  label: string;
  value: string;
  among: Record<Name, string>;
  onChange: (name: Name) => void;
}

function Choice<Name extends string>({ label, value, among, onChange }: ChoiceOf<Name>) {
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

function NumberField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={256}
        value={String(value)}
        onInput={({ currentTarget }) => onChange(Math.round(Number(currentTarget.value)) || 0)}
      />
    </div>
  );
}
