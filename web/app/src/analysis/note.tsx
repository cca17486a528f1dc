import { ArrowUpToLine, Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { SIGNS } from "./judge";
import type { Opened } from "./opened";
import { isMain, nodeOf, START } from "./tree";

/** The comment and glyphs of the move shown, and buttons to promote or delete its line. */
export function Note({ study, most = 8000, children }: { study: Opened; most?: number; children?: ComponentChildren }) {
  const at = study.at.value;
  const { comment, nags } = nodeOf(study.tree.value, at);
  const field = useCaret(comment);
  const shown = useRef(comment);
  useLayoutEffect(() => {
    shown.current = comment;
  });
  return (
    <div class="note">
      <textarea
        ref={field}
        rows={2}
        value={comment}
        maxLength={most}
        aria-label={t("analysis.comment")}
        placeholder={t("analysis.comment")}
        onInput={(event) => {
          const { value } = event.currentTarget;
          study.comment(value, shown.current);
          shown.current = value;
        }}
      />
      {children}
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

/** Keeps the caret behind the same letters when somebody else changes the text meanwhile. */
function useCaret(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const element = field.current;
  // Here the field still has what was typed; events that tell where the caret is may come after the next text.
  const before = element && { text: element.value, start: element.selectionStart, end: element.selectionEnd };
  useLayoutEffect(() => {
    if (!element || !before || before.text === text || document.activeElement !== element) return;
    const moved = (caret: number) =>
      text.startsWith(before.text.slice(0, caret)) ? caret : text.length - before.text.length + caret;
    element.setSelectionRange(moved(before.start), moved(before.end));
  });
  return field;
}
