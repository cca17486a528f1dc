// Every word that the board says. Hosts give the same keys in other languages; braces hold what is filled in.

export const english = {
  board: "Board, {files} by {ranks}",
  white: "White",
  black: "Black",
  /** What a piece is called. */
  whitePiece: "white {piece}",
  blackPiece: "black {piece}",
  /** What a square is called by those who listen. */
  empty: "{square}, empty",
  occupied: "{square}, {piece}",
  target: "{label}, can go here",
  capturable: "{label}, can be captured",
  freeSquare: "{label}, free for your pieces",
  selected: "{square}, {piece}, {count} squares to go to",
  nothing: "{piece} on {square} has no move",
  moved: "{piece}, {from} to {to}",
  captured: "{piece} captured",
  check: "check",
  premove: "Premove: {from} to {to}",
  premoveDropped: "The premove is gone",
  unknown: "{text} is not a ply here",
  typing: "Typed: {text}",
  promote: "Promote to",
  noPromotion: "No promotion",
  cancel: "Cancel",
  pliesLeft: "Plies left: {count}",
  undo: "Undo",
  endTurn: "End turn",
  confirm: "Confirm",
  takeBack: "Take back",
  heldPly: "This ply ends your turn.",
  heldOnly: "Make this ply?",
  inspect: "How pieces move",
  inspectHint: "Choose a piece to see how it moves.",
  nowhere: "From here it can go nowhere now.",
  close: "Close",
  zoomIn: "Zoom in",
  zoomOut: "Whole board",
  landscape: "This board is wide: turn your device on its side.",
  setupHint: "Place your pieces on the golden squares. White's stand opposite.",
  setupWait: "Black is arranging the pieces on the golden squares.",
  setupNumber: "Setup {number} of {count}",
  setupCount: "One of {count} setups",
  shuffle: "Shuffle",
  asLastTime: "As last time",
  clear: "Clear",
  confirmSetup: "Play this setup",
  tray: "Pieces to place",
  capturedPieces: "Captured by {side}",
};

export type Texts = typeof english;

/** A text with its braces filled in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}
