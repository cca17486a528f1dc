import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { San } from "../parts/notation";
import type { MoveMade, Position, Side, Snapshot } from "../wire";

interface Turn {
  number: number;
  white: Made[];
  black: Made[];
}

type Made = MoveMade & { index: number };

/** Groups moves by turns. */
function turns(moves: MoveMade[]): Turn[] {
  const found: Turn[] = [];
  moves.forEach((made, index) => {
    let last = found.at(-1);
    if (last?.number !== made.turn) {
      last = { number: made.turn, white: [], black: [] };
      found.push(last);
    }
    last[made.side].push({ ...made, index });
  });
  return found;
}

/** The list of moves; each is a button that shows the position after it. */
export function Moves({
  state,
  shown,
  goTo,
}: {
  state: Snapshot;
  shown: Position | null;
  goTo: (moves: number | null) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const current = shown ? shown.ply : state.moves.length;
  useEffect(() => {
    // Scrolls only the list, never the page.
    const at = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current?.parentElement;
    if (!box) return;
    if (!at) box.scrollTop = 0;
    else if (at.offsetTop < box.scrollTop) box.scrollTop = at.offsetTop;
    else if (at.offsetTop + at.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = at.offsetTop + at.offsetHeight - box.clientHeight;
    }
  }, [current]);
  if (state.moves.length === 0) return <p class="muted small empty">{t("moves.empty")}</p>;
  const cell = (side: Side, moves: Made[]) => (
    <span class="cell">
      {moves.map((made) => (
        <button
          type="button"
          key={made.index}
          aria-current={made.index + 1 === current ? "step" : undefined}
          aria-label={t(side === "white" ? "moves.white" : "moves.black", { number: made.turn, san: made.san })}
          onClick={() => goTo(made.index + 1)}
        >
          <San of={made.san} />
        </button>
      ))}
    </span>
  );
  return (
    <ol class="moves" ref={list}>
      {turns(state.moves).map((turn) => (
        <li key={turn.number}>
          <span class="number figures" aria-hidden="true">
            {turn.number}.
          </span>
          {cell("white", turn.white)}
          {cell("black", turn.black)}
        </li>
      ))}
    </ol>
  );
}
