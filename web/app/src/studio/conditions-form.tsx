import { useId } from "preact/hooks";
import { t } from "../i18n";
import { Key, TextField } from "./fields";
import type { OpenDraft } from "./open-draft";
import { type Picking, SquaresField } from "./picking";
import { Choice, RemoveButton, type Row, SideChoice, TableList, textOf } from "./table-list";

const PATH = ["end", "conditions"];
/** What a condition can test, and what it begins with. */
const TESTS = { extinct: "all", reach: "last rank", checks: 3 } as const;
type Test = keyof typeof TESTS;

/** The conditions that end a game besides mate. */
export function Conditions({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  return (
    <>
      <h3>
        {t("studio.conditions")} <Key path={PATH} />
      </h3>
      <p class="help">{t("studio.conditions.help")}</p>
      <TableList
        draft={draft}
        path={PATH}
        fresh={{ reach: TESTS.reach }}
        add={t("studio.conditions.add")}
        name={(number) => t("studio.conditions.number", { number })}
      >
        {(row) => <Condition draft={draft} picking={picking} row={row} />}
      </TableList>
    </>
  );
}

function Condition({ draft, picking, row }: { draft: OpenDraft; picking: Picking; row: Row }) {
  const { table, path, set } = row;
  const test = (Object.keys(TESTS) as Test[]).find((name) => name in table) ?? "reach";
  const usual = test === "extinct" ? "loss" : "win";
  const count = (key: "at_most" | "against" | "count" | "checks", otherwise: number) => (
    <NumberField
      label={t(`studio.conditions.${key}`)}
      value={typeof table[key] === "number" ? table[key] : otherwise}
      onChange={(value) => set(key, value, key === "checks" ? -1 : otherwise)}
    />
  );
  const pieces = (key: string, otherwise: string) => (
    <TextField
      path={[...PATH, key]}
      label={t("studio.conditions.pieces")}
      placeholder="all"
      value={textOf(row, key)}
      onChange={(value) => set(key, value, otherwise)}
    />
  );
  return (
    <>
      <div class="together">
        <Choice
          label={t("studio.conditions.test")}
          value={test}
          among={{
            extinct: t("studio.conditions.extinct"),
            reach: t("studio.conditions.reach"),
            checks: t("studio.conditions.checks.given"),
          }}
          onChange={(next: Test) => {
            picking.choose(null);
            row.change({ [next]: TESTS[next] });
          }}
        />
        <RemoveButton
          label={t("studio.conditions.remove", { number: Number(path.at(-1)) + 1 })}
          onClick={() => {
            picking.choose(null);
            row.remove();
          }}
        />
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
            path={[...path, "reach"]}
            label={t("studio.conditions.squares")}
            placeholder="last rank"
            value={textOf(row, "reach")}
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
          value={textOf(row, "result") || usual}
          among={{
            win: t("studio.conditions.result.win"),
            draw: t("studio.conditions.result.draw"),
            loss: t("studio.conditions.result.loss"),
          }}
          onChange={(value) => set("result", value, usual)}
        />
        <SideChoice row={row} />
      </div>
      {test !== "checks" && (
        <label class="check">
          <input
            type="checkbox"
            checked={table.answer === true}
            onChange={({ currentTarget: { checked } }) => set("answer", checked, false)}
          />
          <span>{t("studio.conditions.answer")}</span>
        </label>
      )}
    </>
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
