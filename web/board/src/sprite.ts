// The pictures of the pieces: symbols in one hidden SVG, which all boards of a document share. The host passes in the
// drawings, which tools/make_pieces.py makes; emblems and letters on discs are made here. `<use>` finds symbols only in
// its own tree, so boards in a shadow root have an SVG of their own, with the symbols that they use.

import type { Emblem, PieceSet, PieceType, Side } from "./types.ts";

const SVG = "http://www.w3.org/2000/svg";
const HOME = "acedrex-pieces";

/** Where symbols are found by their id. */
export type Tree = Document | ShadowRoot;

/** Return the tree of an element; the document if the element is not in one yet. */
export function treeOf(element: Element): Tree {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}

/** The drawings from which symbols are copied into shadow roots. */
let drawings: Document | null = null;

/** Install the drawings, given as the text of `pieces.svg`, in the document or a shadow root. A second call does nothing. */
export function installPieces(svg: string, tree: Tree = document): void {
  const place = home(tree);
  if (place.dataset.installed) return;
  place.dataset.installed = "yes";
  drawings ??= new DOMParser().parseFromString(svg, "image/svg+xml");
  if (tree === document) place.append(...document.importNode(drawings.documentElement, true).children);
}

/** Return whether a drawing is in a tree, into which it is copied if need be, with the shapes that it uses. */
function isDrawn(id: string, tree: Tree): boolean {
  if (tree.getElementById(id)) return true;
  const drawing = tree === document ? null : drawings?.getElementById(id);
  if (!drawing) return false;
  home(tree).append(document.importNode(drawing, true));
  for (const use of drawing.querySelectorAll("use")) isDrawn(use.getAttribute("xlink:href")?.slice(1) ?? "", tree);
  return true;
}

function home(tree: Tree): SVGSVGElement {
  const found = tree.getElementById(HOME);
  if (found instanceof SVGSVGElement) return found;
  const svg = document.createElementNS(SVG, "svg");
  svg.id = HOME;
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("width", "0");
  svg.setAttribute("height", "0");
  svg.style.position = "absolute";
  (tree === document ? document.body : tree).append(svg);
  return svg;
}

/** Return the id of a piece's symbol, for `<use href="#...">`. A kind without a drawing gets its letter on a disc. */
export function pieceSymbol(
  kind: Pick<PieceType, "letter" | "art" | "emblem">,
  side: Side,
  set: PieceSet,
  tree: Tree = document,
): string {
  const initial = side === "white" ? "w" : "b";
  if (set === "art" && kind.art !== null) {
    if (isOwn(kind.art)) return ownSymbol(kind.art, initial, COLOURS[side], tree);
    const id = `acedrex-${initial}-${kind.art}`;
    if (isDrawn(id, tree)) return id;
  }
  const geometric = set === "geometric";
  const codes = [...kind.letter].map((char) => char.codePointAt(0)?.toString(16)).join("-");
  const id = `acedrex-${initial}--${geometric ? `emblem-${numberOf(Object.values(kind.emblem).join())}` : codes}`;
  if (!tree.getElementById(id)) {
    home(tree).append(geometric ? emblemOnDisc(id, kind.emblem, side) : lettersOnDisc(id, kind.letter, side));
  }
  return id;
}

/** Return the id of a kind's figurine, in the colour of the text around it; `null` if it has no drawing. */
export function figurineSymbol({ art }: Pick<PieceType, "art">): string | null {
  if (art && isOwn(art)) return ownSymbol(art, "figurine", ["currentColor", "var(--ground)"], document);
  const id = `acedrex-figurine-${art}`;
  return document.getElementById(id) ? id : null;
}

// Piece types of different games may share a letter but not an emblem or a drawing of their own, so these are numbered.
const numbers = new Map<string, number>();

function numberOf(picture: string): number {
  const number = numbers.get(picture) ?? numbers.size + 1;
  numbers.set(picture, number);
  return number;
}

/** Return whether a kind's drawing is its inventor's own: paths in a square from 0 to 100, as in `docs/format.md`. */
const isOwn = (art: string): boolean => /^M[\s\d.+-]/.test(art);

/** Return the id of a drawing of one's own. Its paths are only ever attributes of paths: they cannot be markup. */
function ownSymbol(art: string, of: string, [fill, rim]: readonly [string, string], tree: Tree): string {
  const id = `acedrex-${of}--own-${numberOf(art)}`;
  if (tree.getElementById(id)) return id;
  const [shape = "", details = "", lines = ""] = art.split("|");
  const symbol = emptySymbol(id);
  const path = (d: string, fill: string, stroke: string, width: number): void => {
    add(symbol, "path", {
      d,
      fill,
      stroke,
      "stroke-width": width,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    });
  };
  path(shape, rim, rim, 6);
  path(shape, fill, fill, 1);
  path(details, rim, "none", 0);
  path(lines, "none", rim, 3);
  home(tree).append(symbol);
  return id;
}

function emblemOnDisc(id: string, { dots, lines, fine, letter }: Emblem, side: Side): SVGSymbolElement {
  const [fill, rim] = COLOURS[side];
  const symbol = disc(id, 46, side);
  const strokes = add(symbol, "g", {
    fill: "none",
    stroke: rim,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
  add(strokes, "path", { d: lines, "stroke-width": 7 });
  add(strokes, "path", { d: fine, "stroke-width": 3 });
  add(strokes, "path", { d: dots, "stroke-width": 9 });
  if (letter) {
    add(symbol, "circle", { cx: 78, cy: 78, r: 19, fill: rim, stroke: fill, "stroke-width": 3 });
    text(symbol, letter, { x: 78, y: 78, size: letter.length === 1 ? 30 : 24, fill });
  }
  return symbol;
}

function lettersOnDisc(id: string, letters: string, side: Side): SVGSymbolElement {
  const symbol = disc(id, 43, side);
  text(symbol, letters, {
    x: 50,
    y: 50,
    size: letters.length === 1 ? 60 : 84 / letters.length,
    fill: COLOURS[side][1],
  });
  return symbol;
}

/** The colours of a side's pieces: fill and rim. */
const COLOURS = { white: ["#fff9ec", "#241c15"], black: ["#241c15", "#fff9ec"] } as const;

function emptySymbol(id: string): SVGSymbolElement {
  const symbol = document.createElementNS(SVG, "symbol");
  symbol.id = id;
  symbol.setAttribute("viewBox", "0 0 100 100");
  return symbol;
}

function disc(id: string, r: number, side: Side): SVGSymbolElement {
  const symbol = emptySymbol(id);
  const [fill, stroke] = COLOURS[side];
  add(symbol, "circle", { cx: 50, cy: 50, r, fill, stroke, "stroke-width": 5 });
  return symbol;
}

function text(symbol: Element, letters: string, at: { x: number; y: number; size: number; fill: string }): void {
  const { x, y, size, fill } = at;
  add(symbol, "text", {
    x,
    y: y + size * 0.36,
    fill,
    "font-family": "system-ui, sans-serif",
    "font-size": size,
    "font-weight": 600,
    "text-anchor": "middle",
  }).append(letters);
}

function add(parent: Element, tag: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  parent.append(element);
  return element;
}
