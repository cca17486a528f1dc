// All texts of the board. Hosts pass in the same keys in other languages; values replace what is in braces.

export const english = {
  board: "Board, {files} by {ranks}",
  hole: "{square}, hole",
  white: "White",
  black: "Black",
  /** Names of pieces. */
  whitePiece: "white {piece}",
  blackPiece: "black {piece}",
  /** Names of squares, for screen readers. */
  empty: "{square}, empty",
  occupied: "{square}, {piece}",
  target: "{label}, can go here",
  capturable: "{label}, can be captured",
  freeSquare: "{label}, free for your pieces",
  selected: "{square}, {piece}, can go to {count} squares",
  selectedOne: "{square}, {piece}, can go to one square",
  nothing: "{piece} on {square} has no legal moves",
  moved: "{piece}, {from} to {to}",
  captured: "{piece} captured",
  check: "check",
  premove: "Premove: {from} to {to}",
  premoveDropped: "Premove cancelled",
  unknown: "{text} is not a legal move",
  typing: "Typed: {text}",
  promote: "Promote to",
  noPromotion: "No promotion",
  cancel: "Cancel",
  movesLeft: "Moves left: {count}",
  /** The frames around pieces, and the lines from the piece in hand. */
  framed: "Pieces in a frame are in command.",
  commandedBy: "The lines lead to each {royal} that can command it.",
  showTurn: "Show the turn again",
  skipTurn: "Skip replay",
  undo: "Undo",
  endTurn: "End turn",
  confirm: "Confirm",
  heldMove: "This move ends your turn.",
  heldOnly: "Play this move?",
  inspect: "How pieces move",
  inspectHint: "Select a piece to see how it moves.",
  nowhere: "No moves from here.",
  emptyBoard: "On an empty board",
  here: "In this position",
  close: "Close",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  landscape: "Rotate your device for this wide board.",
  setupHint: "Place your pieces on the highlighted squares. White's pieces mirror yours.",
  setupOnly: "{piece}: only on {squares}",
  setupWait: "Black is placing pieces on the highlighted squares.",
  setupNumber: "Setup {number} of {count}",
  setupCount: "One of {count} setups",
  shuffle: "Shuffle",
  asLastTime: "Same as last time",
  clear: "Clear",
  confirmSetup: "Use this setup",
  tray: "Pieces to place",
  capturedPieces: "Captured by {side}",
};

export type Texts = typeof english;

/** Return a text with values in the place of its braces. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}
