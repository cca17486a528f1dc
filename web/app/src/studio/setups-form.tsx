import { Plus, Trash2 } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Key, TextField } from "./fields";
import type { OpenDraft } from "./open-draft";
import { type Picking, SquaresField } from "./picking";
import { piecesOf, pieceTypesOf, sizeOfBoard, startOf, tableOf } from "./piece-types";
import { readSquares } from "./squares";
import type { Toml } from "./toml";
import { drop, put } from "./toml-edit";

const PATH = ["setup", "groups"];
/** As many as the largest board has room for: the fields of thousands would stop the page. The text keeps all. */
const MOST_SHOWN = 128;

/** The setups: groups of squares whose pieces players can arrange. */
export function Setups({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  const found = draft.at(PATH);
  const groups = Array.isArray(found) ? found : [];
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const standing = new Map(
    piecesOf(startOf(draft), size)
      .filter(({ side }) => side === "white")
      .map(({ square, letter }) => [square, letter]),
  );
  const lettersOn = (squares: string) => readSquares(squares, size).map((square) => standing.get(square) ?? "");
  const write = (next: Toml[]) => {
    const cleared = draft.document.value?.at(PATH) === undefined ? draft.text.value : drop(draft.text.value, PATH);
    draft.write(next.length > 0 ? put(cleared, PATH, next) : cleared, "setup.groups");
  };
  const replace = (index: number, group: Toml) => write(groups.map((other, at) => (at === index ? group : other)));
  const change = (index: number, changed: Record<string, Toml>) =>
    replace(index, { ...tableOf(groups[index]), ...changed });
  const restrict = (index: number, letter: string, squares: string) => {
    const { only, ...group } = tableOf(groups[index]);
    const { [letter]: _, ...others } = tableOf(only);
    const next = squares.trim() ? { ...others, [letter]: squares } : others;
    replace(index, Object.keys(next).length > 0 ? { ...group, only: next } : group);
  };
  const remove = (index: number) => {
    picking.choose(null);
    write(groups.filter((_, at) => at !== index));
  };
  const names = new Map(pieceTypesOf(draft).map(({ letter, name }) => [letter, name]));
  const count = draft.sound.value ? (draft.game.value?.game.setups ?? 0) : 0;
  return (
    <>
      <h2>
        {t("new.setup")} <Key path={PATH} />
      </h2>
      <p class="help">{t("studio.setups.help")}</p>
      {groups.slice(0, MOST_SHOWN).map((group, index) => {
        const { squares, pieces, only } = tableOf(group);
        const letters = lettersOn(textOf(squares));
        const stale = letters.join("") !== textOf(pieces).replace(/[\s,]+/g, "");
        const empty = letters.includes("") || letters.length < 2;
        return (
          <fieldset key={index} class="studio-group">
            <legend class="hidden">{t("studio.setups.group", { number: index + 1 })}</legend>
            <div class="studio-listed">
              <SquaresField
                draft={draft}
                path={[...PATH, index, "squares"]}
                label={t("studio.setups.group", { number: index + 1 })}
                value={textOf(squares)}
                help={t(empty ? "studio.setups.empty" : "studio.setups.pieces", {
                  pieces: letters.map((letter) => names.get(letter) ?? letter).join(", "),
                })}
                picking={picking}
                ordered
                may={(square) => standing.has(square)}
                onChange={(squares) => change(index, { squares, pieces: lettersOn(squares).filter(Boolean).join(" ") })}
              />
              <button
                type="button"
                class="quiet"
                aria-label={t("studio.setups.remove", { number: index + 1 })}
                title={t("studio.setups.remove", { number: index + 1 })}
                onClick={() => remove(index)}
              >
                <Icon of={Trash2} size={18} />
              </button>
            </div>
            {stale && !empty && (
              <button type="button" onClick={() => change(index, { pieces: letters.join(" ") })}>
                {t("studio.setups.update")}
              </button>
            )}
            {!empty && (
              <details>
                <summary>{t("studio.setups.only")}</summary>
                {[...new Set(letters)].map((letter) => (
                  <TextField
                    key={letter}
                    path={[...PATH, index, "only", letter]}
                    label={names.get(letter) ?? letter}
                    placeholder={t("studio.setups.anywhere")}
                    value={textOf(tableOf(only)[letter])}
                    onChange={(squares) => restrict(index, letter, squares)}
                  />
                ))}
              </details>
            )}
          </fieldset>
        );
      })}
      <button
        type="button"
        disabled={groups.length >= MOST_SHOWN}
        onClick={() => {
          write([...groups, { squares: "", pieces: "" }]);
          picking.choose([...PATH, groups.length, "squares"]);
        }}
      >
        <Icon of={Plus} size={18} /> {t("studio.setups.add")}
      </button>
      {groups.length >= MOST_SHOWN && <p class="help">{t("studio.setups.more", { most: MOST_SHOWN })}</p>}
      {count > 0 && <p role="status">{t("studio.setups.count", { count })}</p>}
    </>
  );
}

function textOf(value: Toml | undefined): string {
  return typeof value === "string" ? value : "";
}
