import { RotateCw } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { OpenDraft } from "./open-draft";

/** The faults of the text, each of which leads to its line, and why they are not known. */
export function Problems({ draft }: { draft: OpenDraft }) {
  const problems = draft.problems.value;
  const trouble = draft.trouble.value;
  return (
    <>
      <div id="studio-problems" class="studio-problems" role="status">
        {trouble !== "none" && <p class="fault">{t(`studio.trouble.${trouble}`)}</p>}
        {problems.slice(0, MOST_SHOWN).map((problem, index) => (
          <button
            type="button"
            class="fault"
            key={index}
            onClick={() => {
              draft.wanted.value = { ...problem };
            }}
          >
            {problem.line > 0 && <b>{t("studio.line", { line: problem.line })}</b>} {problem.message}
          </button>
        ))}
        {problems.length > MOST_SHOWN && (
          <p class="muted">{t("studio.problems.more", { count: problems.length - MOST_SHOWN })}</p>
        )}
        {problems.length === 0 && trouble === "none" && draft.sound.value && (
          <p class="muted small">{t("studio.sound")}</p>
        )}
      </div>
      {trouble === "core" && (
        <button type="button" onClick={() => draft.again()}>
          <Icon of={RotateCw} size={18} /> {t("problem.again")}
        </button>
      )}
    </>
  );
}

const MOST_SHOWN = 6;
