import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { OpenDraft, Texts } from "./open-draft";

/** One of the texts, with line numbers. */
export function Editor({ draft, which, label }: { draft: OpenDraft; which: keyof Texts; label: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const text = draft[which].value;
  const shownFaults = [
    ...new Set(draft.problems.value.filter((problem) => problem.which === which).map(({ line }) => line)),
  ].filter((line) => line > 0);
  const lines = text.split("\n").length;
  const numbers = useMemo(() => Array.from({ length: lines }, (_, index) => index + 1).join("\n"), [lines]);
  const show = (line: number) => {
    const box = area.current;
    if (!box || line < 1) return;
    const from =
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const end = text.indexOf("\n", from);
    box.focus();
    box.setSelectionRange(from, end < 0 ? text.length : end);
    box.scrollTop = Math.max(0, (line - 5) * (box.scrollHeight / lines));
  };
  const wanted = draft.wanted.value;
  useLayoutEffect(() => {
    if (wanted?.which === which) show(wanted.line);
  }, [wanted]);
  const follow = () => {
    if (gutter.current && area.current) gutter.current.style.transform = `translateY(${-area.current.scrollTop}px)`;
  };
  useLayoutEffect(follow);
  return (
    <div class="studio-text">
      <div class="studio-gutter" aria-hidden="true">
        <pre ref={gutter}>
          {numbers}
          {shownFaults.map((line) => (
            <b class="faulty" key={line} style={{ top: `calc(${line - 1} * var(--line) + 8px)` }}>
              {line}
            </b>
          ))}
        </pre>
      </div>
      <textarea
        ref={area}
        aria-label={label}
        aria-describedby="studio-problems"
        aria-invalid={shownFaults.length > 0}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        wrap="off"
        onScroll={follow}
        onInput={({ currentTarget: { value } }) =>
          which === "text" ? draft.write(value, which) : draft.writeFrench(value, which)
        }
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
          const key = event.key.toLowerCase();
          const redo = key === "y" || (key === "z" && event.shiftKey);
          if (!redo && key !== "z") return;
          event.preventDefault();
          if (redo) draft.redo();
          else draft.undo();
        }}
      />
    </div>
  );
}
