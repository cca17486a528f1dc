import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import type { PlyMade, Position, Side, Snapshot } from "../wire";

interface Turn {
  number: number;
  white: Made[];
  black: Made[];
}

type Made = PlyMade & { index: number };

/** The plies by turns. */
function turns(plies: PlyMade[]): Turn[] {
  const found: Turn[] = [];
  plies.forEach((made, index) => {
    let last = found.at(-1);
    if (last?.number !== made.turn) {
      last = { number: made.turn, white: [], black: [] };
      found.push(last);
    }
    last[made.side].push({ ...made, index });
  });
  return found;
}

/** The plies in notation; each shows the position after it. */
export function Plies({
  state,
  shown,
  goTo,
}: {
  state: Snapshot;
  shown: Position | null;
  goTo: (plies: number | null) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const current = shown ? shown.ply : state.plies.length;
  useEffect(() => {
    // Only the list is scrolled, never the page.
    const at = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current?.parentElement;
    if (!box) return;
    if (!at) box.scrollTop = 0;
    else if (at.offsetTop < box.scrollTop) box.scrollTop = at.offsetTop;
    else if (at.offsetTop + at.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = at.offsetTop + at.offsetHeight - box.clientHeight;
    }
  }, [current]);
  if (state.plies.length === 0) return <p class="muted small empty">{t("plies.empty")}</p>;
  const cell = (side: Side, plies: Made[]) => (
    <span class="cell">
      {plies.map((made) => (
        <button
          type="button"
          key={made.index}
          aria-current={made.index + 1 === current ? "step" : undefined}
          aria-label={t(side === "white" ? "plies.white" : "plies.black", { number: made.turn, san: made.san })}
          onClick={() => goTo(made.index + 1)}
        >
          {made.san}
        </button>
      ))}
    </span>
  );
  return (
    <ol class="plies" ref={list}>
      {turns(state.plies).map((turn) => (
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
