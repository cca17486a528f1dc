// The pieces on the board. Each has an element, which moves with it.

import { picture } from "./dom.ts";
import { aloneNow, shownPieces } from "./moves.ts";
import { shownMoves } from "./playback.ts";
import { pieceSymbol, treeOf } from "./sprite.ts";
import { cornerOf, fileOf, rankOf } from "./squares.ts";
import { pieceTypeOf, type State } from "./state.ts";
import type { PieceOn, Square } from "./types.ts";

interface Node {
  element: SVGSVGElement;
  piece: PieceOn;
  symbol: string;
}

export function piecesLayer(layer: HTMLElement): (state: State) => void {
  let nodes = new Map<Square, Node>();
  let before: State | null = null;

  function draw(state: State): void {
    const anew = !before || LOOKS.some((key) => before?.[key] !== state[key]);
    const want = new Map(shownPieces(state).map((piece) => [piece.square, piece]));
    const next = new Map<Square, Node>();
    const missing: PieceOn[] = [];
    for (const [square, piece] of want) {
      const node = nodes.get(square);
      if (node && same(node.piece, piece)) {
        next.set(square, node);
        nodes.delete(square);
        if (anew) put(node, piece, state, false);
      } else missing.push(piece);
    }
    const dropped = before?.dragging && before.hand && "square" in before.hand ? before.hand.square : null;
    const path = shownMoves(state).at(-1) ?? [];
    const [from, to] = [path[0], path.at(-1)];
    for (const piece of missing) {
      const node = nearest(nodes, piece) ?? (piece.square === to && from ? nodes.get(from) : undefined);
      if (node) {
        nodes.delete(node.piece.square);
        put(node, piece, state, state.animation && !anew && node.piece.square !== dropped);
        next.set(piece.square, node);
      } else next.set(piece.square, create(piece, state));
    }
    for (const node of nodes.values()) node.element.remove();
    nodes = next;
    markNodes(state);
    before = state;
  }

  function create(piece: PieceOn, state: State): Node {
    const symbol = pieceSymbol(pieceTypeOf(state, piece.letter), piece.side, state.pieceSet, treeOf(layer));
    const node = { element: picture(symbol, "piece", layer), piece, symbol };
    put(node, piece, state, false);
    return node;
  }

  function put(node: Node, piece: PieceOn, state: State, glide: boolean): void {
    const symbol = pieceSymbol(pieceTypeOf(state, piece.letter), piece.side, state.pieceSet, treeOf(layer));
    if (symbol !== node.symbol) node.element.firstElementChild?.setAttribute("href", `#${symbol}`);
    const { x, y } = cornerOf(piece.square, state);
    node.element.classList.toggle("glide", glide);
    node.element.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
    Object.assign(node, { piece, symbol });
  }

  function markNodes(state: State): void {
    const one = aloneNow(state);
    const moved = new Set(state.setup || state.playback !== null ? [] : state.position?.moved);
    const lifted = state.dragging && state.hand && "square" in state.hand ? state.hand.square : null;
    for (const [square, { element }] of nodes) {
      element.classList.toggle("faint", one !== null && square !== one.square);
      element.classList.toggle("moved", moved.has(square));
      element.classList.toggle("lifted", square === lifted);
    }
  }

  return draw;
}

/** A key of what every piece's drawing depends on: when it changes, all are drawn again without animation. */
const LOOKS = ["files", "ranks", "orientation", "pieceSet", "pieceTypes"] as const;

function same(a: PieceOn, b: PieceOn): boolean {
  return a.letter === b.letter && a.side === b.side;
}

/** Return the nearest piece of the same kind among those that have left their squares. */
function nearest(nodes: Map<Square, Node>, piece: PieceOn): Node | undefined {
  let found: Node | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const node of nodes.values()) {
    if (!same(node.piece, piece)) continue;
    const { square } = node.piece;
    const distance = Math.hypot(fileOf(square) - fileOf(piece.square), rankOf(square) - rankOf(piece.square));
    if (distance < best) [found, best] = [node, distance];
  }
  return found;
}
