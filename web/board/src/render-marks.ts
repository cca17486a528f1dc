// Marks on the squares: tints, halos and paths under the pieces; dots, rings and arrows above them.

import { commandersInHand, targets } from "./hand.ts";
import {
  arrow,
  bentPaths,
  commandLine,
  counts,
  edge,
  halo,
  moveArrow,
  moveNumber,
  type Target,
  targetMarks,
  tint,
} from "./marks.ts";
import { aloneNow, commanded, holesIn, mover, movesFrom, shownPieces } from "./moves.ts";
import { areNumbered, shownMoves } from "./playback.ts";
import { toFill } from "./setup.ts";
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
    put(squares, checkered(state));
    put(under, tints(state) + commandLines(state) + (marks.from ? bentPaths(marks.from, marks.targets, state) : ""));
    const arrows = [...state.hints, ...state.drawn].map((drawn) => arrow(drawn, state)).join("");
    const numbers = state.counts.map((count) => counts(count, state)).join("");
    put(over, targetMarks(marks.targets, occupied, state) + moveNumbers(state) + arrows + numbers);
  };
}

function checkered(state: State): string {
  const holes = holesIn(state);
  const squares = rowsOf(state)
    .flat()
    .filter((square) => !holes.has(square));
  const path = (name: string, some: Square[]) => {
    const data = some.map((square) => {
      const { x, y } = cornerOf(square, state);
      return `M${x} ${y}h1v1h-1z`;
    });
    return `<path class="${name}" d="${data.join("")}"/>`;
  };
  const dark = squares.filter((square) => !isLight(square));
  // The lines of the rim are covered where another square begins.
  return (holes.size > 0 ? path("rim", squares) : "") + path("light", squares.filter(isLight)) + path("dark", dark);
}

/** Return the targets to mark, and the square that they are reached from. */
function targetsMarked(state: State): { from: Square | null; targets: Target[] } {
  const { hand, position, inspected, shown } = state;
  const marked = inspected ?? shown;
  if (marked) return { from: marked.square, targets: (marked.reach ?? []).map(ofReach) };
  if (state.setup) {
    const { phase, mine } = state.setup;
    const to = hand ? targets(state) : mine ? toFill(phase, state.arrangement) : [];
    return { from: null, targets: to.map((to) => ({ to, kind: "move", reach: null })) };
  }
  if (!hand || !position || state.choice.length) return { from: null, targets: [] };
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

function commandLines(state: State): string {
  const { hand } = state;
  if (!hand || !("square" in hand)) return "";
  return commandersInHand(state)
    .map((commander) => commandLine(hand.square, commander, state))
    .join("");
}

function moveNumbers(state: State): string {
  if (state.setup || !areNumbered(state)) return "";
  const moves = shownMoves(state).map((path, index) => moveNumber(path.at(-1) ?? "", index + 1, state));
  return moves.join("");
}

function tints(state: State): string {
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
  const moves = shownMoves(state);
  const ends = new Set(moves.flatMap((path) => [path[0] ?? "", path.at(-1) ?? ""]));
  for (const square of ends) content += tint(square, "last", state);
  for (const path of moves) content += moveArrow(path, state);
  const now = !state.held && !state.made && state.playback === null;
  for (const square of now && position ? commanded(position) : []) content += edge(square, "command", state);
  if (now) for (const square of position?.check ?? []) content += halo(square, state);
  for (const square of premove ? [premove.from, premove.to] : []) {
    content += tint(square, "premove", state) + edge(square, "premove", state);
  }
  if (hand && "square" in hand) content += tint(hand.square, "chosen", state) + edge(hand.square, "chosen", state);
  const marked = inspected ?? shown;
  if (marked) content += tint(marked.square, "chosen", state) + edge(marked.square, "chosen", state);
  return content;
}
