import { t } from "../i18n";
import type { PieceType } from "../wire";
import { Key, TextField } from "./fields";
import type { OpenDraft } from "./open-draft";
import { Choice, RemoveButton, type Row, SideChoice, TableList, textOf } from "./table-list";

/** The ways to promote that only this piece has. */
export function Promotions({ draft, kind }: { draft: OpenDraft; kind: PieceType }) {
  const path = ["pieces", kind.letter, "promotion"];
  return (
    <>
      <h3>
        {t("studio.promotion")} <Key path={path} />
      </h3>
      <p class="help">{t("studio.promotion.help")}</p>
      <TableList
        draft={draft}
        path={path}
        fresh={{ to: "", optional: "last rank" }}
        add={t("studio.promotion.add")}
        name={(number) => t("studio.promotion.number", { number })}
      >
        {(row) => <Way row={row} />}
      </TableList>
    </>
  );
}

function Way({ row }: { row: Row }) {
  const text = (key: "to" | "at" | "optional" | "from", placeholder: string) => (
    <TextField
      path={[...row.path, key]}
      label={t(`studio.promotion.${key}`)}
      placeholder={placeholder}
      value={textOf(row, key)}
      onChange={(value) => row.set(key, value, key === "to" ? "none" : "")}
    />
  );
  return (
    <>
      <div class="together">
        {text("to", "Q R")}
        <RemoveButton
          label={t("studio.promotion.remove", { number: Number(row.path.at(-1)) + 1 })}
          onClick={row.remove}
        />
      </div>
      {text("at", "last rank")}
      {text("optional", "ranks 7-8")}
      {text("from", "ranks 1-6")}
      <div class="together">
        <Choice
          label={t("studio.promotion.by")}
          value={textOf(row, "by") || "any"}
          among={{
            any: t("studio.promotion.by.any"),
            capture: t("studio.promotion.by.capture"),
            quiet: t("studio.promotion.by.quiet"),
          }}
          onChange={(value) => row.set("by", value, "any")}
        />
        <SideChoice row={row} />
      </div>
    </>
  );
}
