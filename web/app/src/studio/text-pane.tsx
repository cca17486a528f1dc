import { stillPosition } from "@acedrex/board";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { BoardView } from "../parts/board";
import { Choices } from "../parts/choices";
import { kindsOf, piecesOf, sizeOfBoard, startOf } from "./kinds";
import type { OpenDraft } from "./open-draft";
import { SNIPPETS } from "./templates";

/** The text itself, with its faults at their lines, and the game that it makes beside it. */
export function TextPane({ draft, line }: { draft: OpenDraft; line: number }) {
  return (
    <div class="studio-columns">
      <Start draft={draft} />
      <div class="studio-panel">
        <Editor draft={draft} goTo={line} />
        <Snippets draft={draft} />
      </div>
    </div>
  );
}

/** The start of the game as it is now; "?" shows how a piece moves, by the last text without faults. */
export function Start({ draft }: { draft: OpenDraft }) {
  const game = draft.game.value?.game;
  const size = sizeOfBoard(draft.textAt(["game", "board"]));
  const definition = draft.game.value?.text ?? "";
  if (!game || !draft.sound.value) {
    const pieces = piecesOf(startOf(draft), size);
    const position = { ...stillPosition(""), pieces };
    return (
      <div class="studio-board" style={{ "--aspect": String(size.files / size.ranks) }}>
        <BoardView
          key={`${size.files}x${size.ranks}`}
          {...size}
          kinds={kindsOf(draft)}
          position={position}
          fit="width"
          still
        />
      </div>
    );
  }
  return (
    <div class="studio-board" style={{ "--aspect": String(game.files / game.ranks) }}>
      <BoardView
        key={definition}
        files={game.files}
        ranks={game.ranks}
        kinds={game.pieces}
        position={game.start}
        seat={null}
        fit="width"
        reach={(square, _, alone) => draft.reach(square, alone)}
      />
    </div>
  );
}

function Editor({ draft, goTo }: { draft: OpenDraft; goTo: number }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const text = draft.text.value;
  const shownFaults = [...new Set(draft.problems.value.map((problem) => problem.line))].filter((line) => line > 0);
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
  useLayoutEffect(() => show(goTo), [goTo]);
  const follow = () => {
    if (gutter.current && area.current) gutter.current.style.transform = `translateY(${-area.current.scrollTop}px)`;
  };
  useLayoutEffect(follow);
  return (
    <>
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
          aria-label={t("studio.text")}
          aria-describedby="studio-problems"
          aria-invalid={draft.problems.value.length > 0}
          value={text}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          onScroll={follow}
          onInput={({ currentTarget }) => draft.write(currentTarget.value, true)}
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
      <Problems draft={draft} show={show} />
    </>
  );
}

/** The faults of the text, each of which leads to its line. */
export function Problems({ draft, show }: { draft: OpenDraft; show: (line: number) => void }) {
  const problems = draft.problems.value;
  const trouble = draft.trouble.value;
  return (
    <div id="studio-problems" class="studio-problems" role="status">
      {trouble !== "none" && <p class="fault">{t(`studio.trouble.${trouble}`)}</p>}
      {problems.slice(0, MOST_SHOWN).map((problem, index) => (
        <button type="button" class="fault" key={index} onClick={() => show(problem.line)}>
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
  );
}

const MOST_SHOWN = 6;

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
