import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Choices } from "../parts/choices";
import { Editor } from "./editor";
import { French } from "./french";
import type { OpenDraft } from "./open-draft";
import { Problems } from "./problems";
import { Start } from "./start";
import { SNIPPETS } from "./templates";

/** The text itself, or its translation, with faults at their lines, and the game that it makes beside it. */
export function TextPane({ draft }: { draft: OpenDraft }) {
  const [chosen, choose] = useState<"text" | "french">("text");
  const which = draft.wanted.value?.which ?? chosen;
  return (
    <div class="studio-columns">
      <Start draft={draft} />
      <div class="studio-panel">
        <Choices
          legend={t("studio.text.which")}
          value={which}
          among={(["text", "french"] as const).map((value) => ({ value, label: t(`studio.text.${value}`) }))}
          onChange={(value) => {
            draft.wanted.value = null;
            choose(value);
          }}
        />
        {which === "text" ? (
          <Editor draft={draft} which="text" label={t("studio.text")} />
        ) : (
          <Editor draft={draft} which="french" label={t("studio.text.french")} />
        )}
        <Problems draft={draft} />
        {which === "text" ? <Snippets draft={draft} /> : <French draft={draft} />}
      </div>
    </div>
  );
}

/** Parts of a definition that have no form, to be added to the text. */
function Snippets({ draft }: { draft: OpenDraft }) {
  const [chosen, choose] = useState("setup");
  const text = SNIPPETS[chosen] ?? "";
  return (
    <details>
      <summary>{t("studio.snippets")}</summary>
      <Choices
        legend={t("studio.snippets.which")}
        value={chosen}
        among={Object.keys(SNIPPETS).map((value) => ({
          value,
          label: t(`studio.snippet.${value}` as "studio.snippet.setup"),
        }))}
        onChange={choose}
      />
      <pre class="studio-snippet">{text}</pre>
      <button type="button" onClick={() => draft.write(`${draft.text.value.trimEnd()}\n\n${text}`)}>
        {t("studio.snippets.add")}
      </button>
    </details>
  );
}
