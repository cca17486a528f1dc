import { t } from "../i18n";
import type { OpenDraft } from "./open-draft";
import { Document, type Path, type Toml } from "./toml";
import { drop, put } from "./toml-edit";

/** Forms have at most this many fields; what is left is written in the text. */
const MOST_FIELDS = 300;

/** The translation as a form: each text of the definition, and its French. */
export function French({ draft }: { draft: OpenDraft }) {
  const own = draft.document.value;
  const french = draft.french.value;
  const read = draft.read.french.value;
  if (!own || !(read instanceof Document)) return null;
  return (
    <>
      <p class="help">{t("studio.french.help")}</p>
      {textsOf(own)
        .slice(0, MOST_FIELDS)
        .map(({ path, text }) => {
          const name = path.join(".");
          const now = read.at(path);
          return (
            <div class="field studio-translated" key={name}>
              <label for={`fr-${name}`}>
                {text.length > 200 ? `${text.slice(0, 200)}…` : text} <code class="studio-key">{name}</code>
              </label>
              <textarea
                id={`fr-${name}`}
                lang="fr"
                rows={text.length > 80 ? 4 : 1}
                value={typeof now === "string" ? now : ""}
                onInput={({ currentTarget: { value } }) =>
                  draft.writeFrench(value ? put(french, path, value) : drop(french, path), name)
                }
              />
            </div>
          );
        })}
    </>
  );
}

/** Returns the texts of a definition that can be translated, in its order. */
export function textsOf(document: Document): { path: Path; text: string }[] {
  return document.entries.flatMap(({ path }) => inside(path, document.at(path))).filter(({ path }) => isText(path));
}

function inside(path: Path, value: Toml | undefined): { path: Path; text: string }[] {
  if (typeof value === "string") return value ? [{ path, text: value }] : [];
  if (typeof value !== "object" || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, more]) => inside([...path, key], more));
}

const OF_GAME = ["name", "summary", "story"];

function isText([table, second, third]: Path): boolean {
  if (table === "game") return second === "rules" ? third !== undefined : OF_GAME.includes(String(second));
  return (table === "pieces" && (third === "name" || third === "help")) || (table === "options" && third === "help");
}
