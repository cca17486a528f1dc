// The pictures of the pieces: symbols in one hidden SVG, which all boards of a document share. The host passes in the
// drawings, which tools/make_pieces.py makes; letters on discs are made here.

import type { PieceKind, Side } from "./types.ts";

const SVG = "http://www.w3.org/2000/svg";
const HOME = "acedrex-pieces";

/** Install the drawings, given as the text of `pieces.svg`. A second call does nothing. */
export function installPieces(svg: string): void {
  const place = home();
  if (place.dataset.installed) return;
  place.dataset.installed = "yes";
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  place.append(...document.importNode(drawing, true).children);
}

function home(): SVGSVGElement {
  const found = document.getElementById(HOME);
  if (found instanceof SVGSVGElement) return found;
  const svg = document.createElementNS(SVG, "svg");
  svg.id = HOME;
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("width", "0");
  svg.setAttribute("height", "0");
  svg.style.position = "absolute";
  document.body.append(svg);
  return svg;
}

/** Return the id of a piece's symbol, for `<use href="#...">`. A kind without a drawing gets its letter on a disc. */
export function pieceSymbol(kind: Pick<PieceKind, "letter" | "art">, side: Side, set: "art" | "letters"): string {
  const initial = side === "white" ? "w" : "b";
  if (set === "art" && kind.art !== null) {
    const id = `acedrex-${initial}-${kind.art}`;
    if (document.getElementById(id)) return id;
  }
  const codes = [...kind.letter].map((char) => char.codePointAt(0)?.toString(16)).join("-");
  const id = `acedrex-${initial}--${codes}`;
  if (!document.getElementById(id)) home().append(lettersOnDisc(id, kind.letter, side));
  return id;
}

function lettersOnDisc(id: string, letters: string, side: Side): SVGSymbolElement {
  const [fill, rim] = side === "white" ? ["#fff9ec", "#241c15"] : ["#241c15", "#fff9ec"];
  const size = letters.length === 1 ? 60 : 84 / letters.length;
  const symbol = document.createElementNS(SVG, "symbol");
  symbol.id = id;
  symbol.setAttribute("viewBox", "0 0 100 100");
  symbol.innerHTML =
    `<circle cx="50" cy="50" r="43" fill="${fill}" stroke="${rim}" stroke-width="5"/>` +
    `<text x="50" y="${50 + size * 0.36}" font-family="system-ui, sans-serif" font-size="${size}" ` +
    `font-weight="600" text-anchor="middle" fill="${rim}"/>`;
  symbol.lastElementChild?.append(letters);
  return symbol;
}
