// Marks on the squares: tints, halos and paths under the pieces; dots, rings and arrows above them.

import { targets } from "./hand.ts";
import { arrow, bentPaths, counts, edge, halo, type Target, tail, targetMarks, tint } from "./marks.ts";
import { aloneNow, commanded, mover, movesFrom, shownLast, shownPieces } from "./moves.ts";
import { cornerOf, isLight, rowsOf } from "./squares.ts";
import type { State } from "./state.ts";
import type { Square } from "./types.ts";

export function marksLayers(squares: SVGElement, under: SVGElement, over: SVGElement): (state: State) => void {
  const drawn = new Map<SVGElement, string>();

  function put(layer: SVGElement, content: string): void {
    if (drawn.get(layer) === content) return;
    layer.innerHTML = content;
    drawn.set(layer, content);
  }

  return (state) => {
    const box = `0 0 ${state.files} ${state.ranks}`;
    for (const layer of [squares, under, over]) {
      if (layer.getAttribute("viewBox") !== box) layer.setAttribute("viewBox", box);
    }
    const one = aloneNow(state);
    const occupied = new Set((one ? [one] : shownPieces(state)).map((piece) => piece.square));
    const marks = targetsMarked(state);
    put(squares, darkSquares(state));
    put(under, tints(state, occupied) + (marks.from ? bentPaths(marks.from, marks.targets, state) : ""));
    const arrows = [...state.hints, ...state.drawn].map((drawn) => arrow(drawn, state)).join("");
    const numbers = state.counts.map((count) => counts(count, state)).join("");
    put(over, targetMarks(marks.targets, occupied, state) + arrows + numbers);
  };
}

function darkSquares(state: State): string {
  const dark = rowsOf(state)
    .flat()
    .filter((square) => !isLight(square));
  const data = dark.map((square) => {
    const { x, y } = cornerOf(square, state);
    return `M${x} ${y}h1v1h-1z`;
  });
  return `<path class="dark" d="${data.join("")}"/>`;
}

/** Return the targets to mark, and the square that they are reached from. */
function targetsMarked(state: State): { from: Square | null; targets: Target[] } {
  const { hand, position, inspected, shown } = state;
  const marked = inspected ?? shown;
  if (marked) return { from: marked.square, targets: (marked.reach ?? []).map(ofReach) };
  if (!hand || !position || state.choice.length) return { from: null, targets: [] };
  if (state.setup) {
    return { from: null, targets: targets(state).map((to) => ({ to, kind: "move", reach: null })) };
  }
  if ("tray" in hand) return { from: null, targets: [] };
  if (!mover(state)) return { from: hand.square, targets: (state.premoveReach ?? []).map(ofReach) };
  const moves = movesFrom(position, hand.square);
  return {
    from: hand.square,
    targets: moves.flatMap(({ to, kind, reach }) => (to === null ? [] : [{ to, kind, reach }])),
  };
}

function ofReach(reach: NonNullable<Target["reach"]> & Pick<Target, "to" | "kind">): Target {
  return { to: reach.to, kind: reach.kind, reach };
}

function tints(state: State, occupied: Set<Square>): string {
  const { position, setup, hand, premove, inspected, shown } = state;
  if (setup) {
    const free = setup.phase.groups.flatMap((group) => group.squares);
    const mirror = setup.phase.groups.flatMap((group) => group.mirror);
    return (
      free.map((square) => tint(square, "gold", state) + edge(square, "gold", state)).join("") +
      mirror.map((square) => tint(square, "gold", state)).join("") +
      (hand && "square" in hand ? tint(hand.square, "chosen", state) : "") +
      (inspected ? tint(inspected.square, "chosen", state) : "")
    );
  }
  let content = "";
  const last = shownLast(state);
  const [from, to] = [last[0], last.at(-1)];
  for (const square of new Set(last)) content += tint(square, "lapis", state);
  if (from && to && !occupied.has(from)) content += tail(from, to, state);
  for (const square of position ? commanded(position) : []) content += edge(square, "command", state);
  if (!state.held && !state.made) for (const square of position?.check ?? []) content += halo(square, state);
  for (const square of premove ? [premove.from, premove.to] : []) {
    content += tint(square, "premove", state) + edge(square, "premove", state);
  }
  if (hand && "square" in hand) content += tint(hand.square, "chosen", state);
  const marked = inspected ?? shown;
  if (marked) content += tint(marked.square, "chosen", state);
  return content;
}
