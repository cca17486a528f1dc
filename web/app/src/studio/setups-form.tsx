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

/** Pieces that players arrange: squares, the pieces that stand there at the start, and squares for some of them. */
interface Group {
  squares: string;
  pieces: string;
  only: Record<string, string>;
}

const PATH = ["setup", "groups"];
/** The format's limit. */
const MOST_SQUARES = 8;

/** The setups: groups of squares whose pieces players can arrange. */
export function Setups({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  const groups = groupsOf(draft);
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const standing = new Map(
    piecesOf(startOf(draft), size)
      .filter(({ side }) => side === "white")
      .map(({ square, letter }) => [square, letter]),
  );
  const lettersOn = (squares: string) => readSquares(squares, size).map((square) => standing.get(square) ?? "");
  const write = (next: Group[]) => {
    const cleared = draft.document.value?.at(PATH) === undefined ? draft.text.value : drop(draft.text.value, PATH);
    draft.write(next.length > 0 ? put(cleared, PATH, next.map(written)) : cleared, "setup.groups");
  };
  const change = (index: number, changed: Partial<Group>) =>
    write(groups.map((group, at) => (at === index ? { ...group, ...changed } : group)));
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
      {groups.map((group, index) => {
        const letters = lettersOn(group.squares);
        const stale =
          letters.join(" ") !==
          group.pieces
            .split(/[\s,]+/)
            .filter(Boolean)
            .join(" ");
        const empty = letters.includes("") || letters.length < 2;
        return (
          <fieldset key={index} class="studio-group">
            <legend class="hidden">{t("studio.setups.group", { number: index + 1 })}</legend>
            <div class="studio-listed">
              <SquaresField
                draft={draft}
                path={[...PATH, index, "squares"]}
                label={t("studio.setups.group", { number: index + 1 })}
                value={group.squares}
                help={t(empty ? "studio.setups.empty" : "studio.setups.pieces", {
                  pieces: letters.map((letter) => names.get(letter) ?? letter).join(", "),
                })}
                picking={picking}
                ordered
                may={(square) => standing.has(square)}
                onChange={(squares) =>
                  readSquares(squares, size).length <= MOST_SQUARES &&
                  change(index, { squares, pieces: lettersOn(squares).filter(Boolean).join(" ") })
                }
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
                    value={group.only[letter] ?? ""}
                    onChange={(squares) => change(index, { only: without({ ...group.only, [letter]: squares }) })}
                  />
                ))}
              </details>
            )}
          </fieldset>
        );
      })}
      <button
        type="button"
        onClick={() => {
          write([...groups, { squares: "", pieces: "", only: {} }]);
          picking.choose([...PATH, groups.length, "squares"]);
        }}
      >
        <Icon of={Plus} size={18} /> {t("studio.setups.add")}
      </button>
      {count > 0 && <p role="status">{t("studio.setups.count", { count })}</p>}
    </>
  );
}

function groupsOf(draft: OpenDraft): Group[] {
  const found = draft.at(PATH);
  const text = (value: Toml | undefined) => (typeof value === "string" ? value : "");
  return (Array.isArray(found) ? found : []).slice(0, 20).map((group) => {
    const { squares, pieces, only } = tableOf(group);
    const kept = Object.entries(tableOf(only)).map(([letter, value]) => [letter, text(value)]);
    return { squares: text(squares), pieces: text(pieces), only: without(Object.fromEntries(kept)) };
  });
}

/** Returns the entries that say something. */
function without(only: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(only).filter(([, squares]) => squares.trim() !== ""));
}

function written({ squares, pieces, only }: Group): Toml {
  return Object.keys(only).length > 0 ? { squares, pieces, only } : { squares, pieces };
}
