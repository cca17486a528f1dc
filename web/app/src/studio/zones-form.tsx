import { Plus, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { Key } from "./fields";
import type { OpenDraft } from "./open-draft";
import { type Picking, SquaresKey } from "./picking";
import { pieceTypesOf, tableOf } from "./piece-types";

/** The zones, which pieces cannot leave. */
export function Zones({ draft, picking }: { draft: OpenDraft; picking: Picking }) {
  const [name, setName] = useState("");
  const zones = zonesOf(draft);
  const add = (event: Event) => {
    event.preventDefault();
    if (!NAME.test(name) || zones.includes(name)) return;
    draft.put(["zones", name], "");
    picking.choose(["zones", name]);
    setName("");
  };
  return (
    <>
      <h2>
        {t("studio.zones")} <Key path={["zones"]} />
      </h2>
      <p class="help">{t("studio.zones.help")}</p>
      {zones.map((zone) => (
        <div class="studio-listed" key={zone}>
          <SquaresKey
            draft={draft}
            path={["zones", zone]}
            label={t("studio.zones.squares", { zone })}
            picking={picking}
            kept
            help={keptIn(draft, zone)}
          />
          {draft.inherited(["zones", zone]) === undefined && (
            <button
              type="button"
              class="quiet"
              aria-label={t("studio.zones.remove", { zone })}
              title={t("studio.zones.remove", { zone })}
              onClick={() => {
                picking.choose(null);
                draft.drop(["zones", zone]);
              }}
            >
              <Icon of={Trash2} size={18} />
            </button>
          )}
        </div>
      ))}
      <form class="together" onSubmit={add}>
        <input
          class="studio-new-name"
          aria-label={t("studio.zones.name")}
          placeholder={t("studio.zones.name")}
          value={name}
          maxLength={20}
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value.trim().toLowerCase())}
        />
        <button type="submit" disabled={!NAME.test(name) || zones.includes(name)}>
          <Icon of={Plus} size={18} /> {t("studio.zones.add")}
        </button>
      </form>
    </>
  );
}

const NAME = /^[a-z][a-z0-9_-]*$/;

/** Returns the names of the zones, those of the game that the text extends first. */
export function zonesOf(draft: OpenDraft): string[] {
  const [base, own] = [tableOf(draft.inherited(["zones"])), tableOf(draft.document.value?.at(["zones"]))];
  return [...new Set([...Object.keys(base), ...Object.keys(own)])].slice(0, 40);
}

/** Says which pieces cannot leave a zone. */
function keptIn(draft: OpenDraft, zone: string): string {
  const kept = pieceTypesOf(draft).filter(({ letter }) => draft.textAt(["pieces", letter, "within"]) === zone);
  return kept.length > 0
    ? t("studio.zones.kept", { pieces: kept.map(({ name }) => name).join(", ") })
    : t("studio.zones.unused");
}
