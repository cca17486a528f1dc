import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { San } from "../parts/notation";
import { GLYPHS, type Mark, SIGNS } from "./judge";
import type { Opened } from "./opened";
import type { Review } from "./review";
import { subjectOf } from "./title";
import { nodeOf, START, type Tree } from "./tree";

/** All moves: the main line, with variations indented below the move that they replace. */
export function TreeView({ study, review, subject }: { study: Opened; review: Review; subject?: string }) {
  const box = useRef<HTMLDivElement>(null);
  const at = study.at.value;
  const tree = study.tree.value;
  useEffect(() => {
    // Scrolls only the list, never the page, and only once the elements below it are laid out.
    const frame = requestAnimationFrame(scroll);
    return () => cancelAnimationFrame(frame);
  }, [at, tree, review.marks.value]);
  const scroll = () => {
    const scrolled = box.current?.closest<HTMLElement>(".panel-body");
    const current = box.current?.querySelector<HTMLElement>("[aria-current]");
    if (!scrolled) return;
    if (!current) scrolled.scrollTop = 0;
    else if (current.offsetTop < scrolled.scrollTop) scrolled.scrollTop = current.offsetTop - 8;
    else if (current.offsetTop + current.offsetHeight > scrolled.scrollTop + scrolled.clientHeight) {
      scrolled.scrollTop = current.offsetTop + current.offsetHeight - scrolled.clientHeight + 8;
    }
  };
  const { comment, children } = nodeOf(tree, START);
  return (
    <div class="tree" ref={box}>
      <p class="subject muted small">{subject ?? subjectOf(study.saved.value)}</p>
      {comment && <p class="comment">{comment}</p>}
      {children.length === 0 && <p class="muted small empty">{t("analysis.empty")}</p>}
      <Variation
        from={START}
        first={0}
        view={{ tree, at, marks: review.marks.value, goTo: (node) => study.goTo(node) }}
      />
    </div>
  );
}

interface View {
  tree: Tree;
  at: number;
  marks: ReadonlyMap<number, Mark>;
  goTo: (node: number) => void;
}

/** The line that begins with child `first` of `from`, with the variations that leave it. */
function Variation({ from, first, view }: { from: number; first: number; view: View }) {
  const { tree } = view;
  const parts: preact.ComponentChildren[] = [];
  // After a break, such as a comment, Black's move is numbered too.
  let broken = true;
  let moves = 0;
  for (let before = from, pick = first; ; pick = 0) {
    const { children } = nodeOf(tree, before);
    const id = children[pick];
    if (id === undefined) break;
    const node = nodeOf(tree, id);
    const opens = node.turn !== nodeOf(tree, before).turn || node.side !== nodeOf(tree, before).side;
    // After a turn of several moves the number shows where Black's turn begins.
    const numbered = broken || (opens && (node.side === "white" || moves > 1));
    moves = opens ? 1 : moves + 1;
    const number = numbered ? `${node.turn}${node.side === "white" ? "." : "…"}` : "";
    parts.push(<Move key={id} id={id} number={number} view={view} />);
    broken = false;
    if (node.comment) {
      parts.push(
        <p key={`${id} comment`} class="comment">
          {node.comment}
        </p>,
      );
      broken = true;
    }
    // Variations from here follow the main move; those of `from` itself are listed by the line that it belongs to.
    if (pick === 0 && children.length > 1 && (before !== from || first === 0)) {
      parts.push(
        <ul key={`${id} others`}>
          {children.slice(1).map((other, index) => (
            <li key={other}>
              <Variation from={before} first={index + 1} view={view} />
            </li>
          ))}
        </ul>,
      );
      broken = true;
    }
    before = id;
  }
  return <>{parts}</>;
}

function Move({ id, number, view }: { id: number; number: string; view: View }) {
  const { san, nags } = nodeOf(view.tree, id);
  const mark = view.marks.get(id);
  const own = nags.map((nag) => SIGNS[nag] ?? "").join("");
  const current = id === view.at;
  return (
    <span class="move">
      {number && (
        <span class="number figures" aria-hidden="true">
          {number}
        </span>
      )}
      <button
        type="button"
        class={mark ? mark.verdict : ""}
        aria-current={current ? "step" : undefined}
        onClick={() => view.goTo(id)}
      >
        <San of={san} />
        {own || (mark && GLYPHS[mark.verdict].sign)}
        {mark && <span class="hidden"> {t(`analysis.${mark.verdict}`)}</span>}
      </button>
    </span>
  );
}
