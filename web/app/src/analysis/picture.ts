// A position as an SVG file, made in this browser from the drawings of its boards.

import { fileOf, pieceSymbol, rankOf, squareName } from "@acedrex/board";
import type { Settings } from "../client";
import type { Game, Position, Side } from "../wire";

const SQUARE = 60;
/** The margin for the coordinates, left and below. */
const MARGIN = 24;

export interface Look {
  orientation: Side;
  pieces: Settings["pieces"];
  /** The value of a variable of the page's style. */
  style: (variable: string) => string;
}

/** Returns the text of an SVG that shows a position with its last move, and needs nothing else. */
export function pictureOf({ files, ranks, pieces: pieceTypes, name }: Game, position: Position, look: Look): string {
  const { orientation, pieces, style } = look;
  const white = orientation === "white";
  const corner = (square: string): [number, number] => {
    const [file, rank] = [fileOf(square), rankOf(square)];
    return [MARGIN + (white ? file : files - 1 - file) * SQUARE, (white ? ranks - 1 - rank : rank) * SQUARE];
  };
  const tint = (square: string, variable: string): string => {
    const [x, y] = corner(square);
    const colour = `fill="${style(`--${variable}`)}" fill-opacity="${style(`--${variable}-tint`)}"`;
    return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" ${colour}/>`;
  };
  const [width, height] = [MARGIN + files * SQUARE, ranks * SQUARE + MARGIN];
  let dark = "";
  for (let row = 0; row < ranks; row++)
    for (let column = 0; column < files; column++) {
      const [file, rank] = white ? [column, ranks - 1 - row] : [files - 1 - column, row];
      if ((file + rank) % 2 === 0)
        dark += `M${MARGIN + column * SQUARE} ${row * SQUARE}h${SQUARE}v${SQUARE}h-${SQUARE}z`;
    }
  const label = (text: string, x: number, y: number): string => `<text x="${x}" y="${y}">${text}</text>`;
  const labels = [
    ...Array.from({ length: files }, (_, file) => {
      const square = squareName(file, 0);
      return label(square.charAt(0), corner(square)[0] + SQUARE / 2, height - MARGIN / 3);
    }),
    ...Array.from({ length: ranks }, (_, rank) =>
      label(String(rank + 1), MARGIN / 2, corner(squareName(0, rank))[1] + SQUARE / 2 + 5),
    ),
  ];
  const symbols = new Map<string, string>();
  const standing = position.pieces.map(({ square, letter, side }) => {
    const kind = pieceTypes.find((one) => one.letter === letter);
    const id = kind ? pieceSymbol(kind, side, pieces) : "";
    copy(id, symbols);
    const [x, y] = corner(square);
    return `<use xlink:href="#${id}" x="${x + 2}" y="${y + 2}" width="${SQUARE - 4}" height="${SQUARE - 4}"/>`;
  });
  const text = `font-family="system-ui, sans-serif" font-size="14" text-anchor="middle" fill="${style("--ink-muted")}"`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ',
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(name)}</title><defs>${[...symbols.values()].join("")}</defs>`,
    `<rect width="${width}" height="${height}" fill="${style("--page")}"/>`,
    `<rect x="${MARGIN}" width="${files * SQUARE}" height="${ranks * SQUARE}" fill="${style("--square-light")}"/>`,
    `<path d="${dark}" fill="${style("--square-dark")}"/>`,
    ...position.last.map((square) => tint(square, "last-move")),
    ...position.check.map((square) => tint(square, "check")),
    `<g ${text}>${labels.join("")}</g>${standing.join("")}</svg>`,
  ].join("");
}

/** Copies a symbol and the shapes that it uses. */
function copy(id: string, into: Map<string, string>): void {
  const found = id && !into.has(id) ? document.getElementById(id) : null;
  if (!found) return;
  into.set(id, new XMLSerializer().serializeToString(found));
  for (const use of found.querySelectorAll("use")) copy(use.getAttribute("xlink:href")?.slice(1) ?? "", into);
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? "");
}
