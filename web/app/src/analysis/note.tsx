import { ArrowUpToLine, Trash2 } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { SIGNS } from "./judge";
import type { Study } from "./study";
import { isMain, nodeOf, START } from "./tree";

/** The comment and glyphs of the move shown, and buttons to promote or delete its line. */
export function Note({ study }: { study: Study }) {
  const at = study.at.value;
  const { comment, nags } = nodeOf(study.tree.value, at);
  return (
    <div class="note">
      <textarea
        rows={2}
        value={comment}
        maxLength={8000}
        aria-label={t("analysis.comment")}
        placeholder={t("analysis.comment")}
        onInput={(event) => study.comment(event.currentTarget.value)}
      />
      {at !== START && (
        <div class="together">
          {Object.entries(SIGNS).map(([nag, sign]) => (
            <button
              type="button"
              key={nag}
              class="quiet glyph"
              aria-pressed={nags.includes(Number(nag))}
              aria-label={t("analysis.glyph", { sign })}
              onClick={() => study.mark(Number(nag))}
            >
              {sign}
            </button>
          ))}
          {!isMain(study.tree.value, at) && (
            <button
              type="button"
              class="quiet"
              title={t("analysis.promote")}
              aria-label={t("analysis.promote")}
              onClick={() => study.promote()}
            >
              <Icon of={ArrowUpToLine} size={18} />
            </button>
          )}
          <button
            type="button"
            class="quiet"
            title={t("analysis.prune")}
            aria-label={t("analysis.prune")}
            onClick={() => study.prune()}
          >
            <Icon of={Trash2} size={18} />
          </button>
        </div>
      )}
    </div>
  );
}
