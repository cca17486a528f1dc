// The piece in hand: which pieces can be picked up, where they can go, and what happens then.

import { mover, movesFrom, needsConfirmation, premover, shownPieces } from "./moves.ts";
import { allowed, groupOf, nameOf, place } from "./setup.ts";
import { type Change, type Effect, type Hand, pieceAt, pieceTypeOf, type State } from "./state.ts";
import { fill } from "./texts.ts";
import type { LegalMove, PieceOn, Reach, Square } from "./types.ts";

/** Whether the piece on a square can be picked up. */
export function canLift(state: State, square: Square): boolean {
  if (state.setup) return state.setup.mine && state.arrangement[square] !== undefined;
  if (state.held || state.reportsSquares) return false;
  const side = mover(state) ?? premover(state);
  return side !== null && pieceAt(state, square)?.side === side;
}

/** Return the squares where the piece in hand can go. */
export function targets(state: State): Square[] {
  const { hand, position, setup } = state;
  if (!hand) return [];
  if (setup) {
    const group = setup.phase.groups["tray" in hand ? hand.group : groupOf(setup.phase, hand.square)];
    return group ? allowed(group, letterIn(state, hand)) : [];
  }
  if ("tray" in hand || !position) return [];
  const found = mover(state) ? movesFrom(position, hand.square).map((move) => move.to) : reachOf(state);
  return [...new Set(found.filter((square) => square !== null))];
}

function reachOf(state: State): Square[] {
  return premover(state) ? (state.premoveReach ?? []).map((reach) => reach.to) : [];
}

function letterIn(state: State, hand: Hand): string {
  return "tray" in hand ? hand.tray : (state.arrangement[hand.square] ?? "");
}

export function isIn(hand: Hand | null, square: Square): boolean {
  return hand !== null && "square" in hand && hand.square === square;
}

/** Pick up a piece. */
export function lift(state: State, hand: Hand): Change {
  const next: State = { ...state, hand, premoveReach: null, choice: [], inspected: null, notice: "" };
  if ("tray" in hand) return [stopAsking(next)];
  if (state.setup) return [next];
  if (!mover(state)) return [next, { what: "reach", square: hand.square }];
  const piece = pieceAt(state, hand.square);
  const count = targets(next).length;
  const { selected, selectedOne, nothing } = state.texts;
  const named = { square: hand.square, piece: piece ? pieceName(state, piece) : "", count };
  const said: Effect = { what: "say", text: fill(count > 1 ? selected : count ? selectedOne : nothing, named) };
  return count ? [next, said] : [next, said, { what: "explain", square: hand.square }];
}

/** Return the squares of the royal pieces that may still command the piece in hand. */
export function commandersInHand({ hand, position, playback }: State): Square[] {
  if (!hand || !("square" in hand) || playback !== null) return [];
  return position?.commanders.find(({ square }) => square === hand.square)?.by ?? [];
}

export function putDown(state: State): State {
  return { ...state, hand: null, dragging: false, premoveReach: null, choice: [] };
}

/** The player has chosen a square, by a tap or a key: go there, pick up its piece, or cancel. */
export function choose(state: State, square: Square): Change {
  if (state.asks) return inspect(state, square);
  if (state.reportsSquares) return [state, { what: "square", square }];
  if (state.held) return [state];
  if (isIn(state.hand, square)) return [putDown(state)];
  if (targets(state).includes(square)) return goTo(state, square);
  if (canLift(state, square)) return lift(state, { square });
  return state.setup && state.hand ? keep(state) : letGo(state);
}

/** In the setup phase: say where the piece in hand may stand, and keep it. */
export function keep(state: State): Change {
  const { name } = pieceTypeOf(state, state.hand ? letterIn(state, state.hand) : "");
  const text = fill(state.texts.setupOnly, { piece: name, squares: targets(state).join(", ") });
  return [
    { ...state, dragging: false },
    { what: "announce", text },
  ];
}

/** Cancel the first of what is under way: the held move, the piece in hand, the inspection, the premove, the arrows. */
export function letGo(state: State): Change {
  if (state.held) return [{ ...state, held: null }];
  if (state.hand) return [putDown(state)];
  if (state.asks || state.inspected) return [stopAsking(state)];
  if (state.premove) return setPremove(state, null);
  if (state.drawn.length) return [{ ...state, drawn: [] }];
  return [state];
}

/** Move the piece in hand to one of its targets. */
export function goTo(state: State, to: Square): Change {
  const { hand, setup } = state;
  if (!hand) return [state];
  if (setup) return put(state, to);
  if ("tray" in hand) return [state];
  if (mover(state)) return tryMove(state, hand.square, to);
  return setPremove(putDown(state), { from: hand.square, to });
}

/** In the setup phase: put the piece in hand on a square, or with `null` back into the tray. */
export function put(state: State, to: Square | null): Change {
  const { hand, setup } = state;
  if (!hand || !setup) return [state];
  const from = "square" in hand ? hand.square : null;
  const arrangement = place(setup.phase, state.arrangement, letterIn(state, hand), from, to);
  return [
    { ...putDown(state), arrangement, notice: "" },
    { what: "arrange", name: nameOf(setup.phase, arrangement) },
  ];
}

function tryMove(state: State, from: Square, to: Square, asks = state.promotion === "ask"): Change {
  const moves = (state.position?.legal ?? []).filter((move) => move.from === from && move.to === to);
  const [first] = asks ? moves : queenFirst(state, moves);
  if (!first) return [putDown(state)];
  if (moves.length === 1 || !asks) return play(state, first);
  return [{ ...state, hand: { square: from }, dragging: false, choice: moves }];
}

/** Return promotions in the order in which they are chosen for the player: the Queen, then as the rules name them. */
function queenFirst(state: State, moves: LegalMove[]): LegalMove[] {
  const piece = pieceAt(state, moves[0]?.from ?? "");
  const order = ["Q", ...(piece ? pieceTypeOf(state, piece.letter).promotes_to : []), null];
  return moves.toSorted((one, other) => order.indexOf(one.promotion) - order.indexOf(other.promotion));
}

/** Make a move, or hold it until the player confirms it. */
export function play(state: State, move: LegalMove): Change {
  const next = { ...putDown(state), inspected: null, typed: "", entered: null, notice: "" };
  return needsConfirmation(state, move) ? [{ ...next, held: move }] : makeMove(next, move);
}

export function makeMove(state: State, move: LegalMove): Change {
  return [
    { ...putDown(state), held: null, made: move },
    { what: "move", move },
  ];
}

export function setPremove(state: State, premove: State["premove"]): Change {
  const text = premove ? fill(state.texts.premove, { ...premove }) : state.texts.premoveDropped;
  return [
    { ...state, premove, premovedOn: premove && state.position },
    { what: "say", text },
  ];
}

/**
 * Make the premove once it is the player's turn, or drop it if it is illegal, or if the position that it was made on is
 * gone: taken back, or not part of this game.
 */
export function playPremove(state: State): Change {
  const { premove, premovedOn, position, seat } = state;
  // Who looks at earlier positions has no seat in them.
  if (!premove || !premovedOn || !position || seat === null) return [state];
  const [now, then] = [position, premovedOn].map(({ fen }) => fen.split(" ", 1)[0]);
  const turn = position.last_turn;
  const moves = position.ply - premovedOn.ply;
  const passed = now === then || (turn.length ? turn.some(({ before }) => before === then) : moves === 1);
  if (moves < 0 || !passed) return setPremove(state, null);
  if (!mover(state)) return [state];
  // Nobody expects a question at that moment.
  const [next, ...effects] = tryMove({ ...state, premove: null }, premove.from, premove.to, false);
  const dropped = next.made || next.held ? [] : [{ what: "say" as const, text: state.texts.premoveDropped }];
  return [next, ...dropped, ...effects];
}

/** Show how the piece on a square moves; `null` ends the inspection. */
export function inspect(state: State, square: Square | null): Change {
  if (!state.knowsReach || state.still) return [state];
  const piece = shownPieces(state).find((piece) => piece.square === square);
  if (square === null || !piece) {
    return state.inspected ? [{ ...state, inspected: null, alone: state.asks && state.alone }] : [state];
  }
  if (state.inspected?.square === square) return [state];
  const next: State = { ...putDown(state), inspected: { square, reach: null } };
  const { name, help } = pieceTypeOf(state, piece.letter);
  return [next, { what: "reach", square }, { what: "say", text: `${name}. ${help}` }];
}

/** End the inspection, and what the button for it has begun. */
export function stopAsking(state: State): State {
  return { ...state, asks: false, alone: false, inspected: null };
}

/** Show the inspected piece on an empty board, or again among the others. */
export function toggleAlone(state: State): Change {
  const { inspected } = state;
  if (!inspected) return [state];
  const { square } = inspected;
  return [
    { ...state, alone: !state.alone, inspected: { square, reach: null } },
    { what: "reach", square },
  ];
}

/** Show the host's answer where the piece on a square could go, if the player still wants to know. */
export function showReach(state: State, square: Square, reach: Reach[]): State {
  if (state.inspected?.square === square) return { ...state, inspected: { square, reach } };
  return isIn(state.hand, square) && !mover(state) ? { ...state, premoveReach: reach } : state;
}

/** Return a piece's name for screen readers: "black Rhinoceros". */
export function pieceName(state: State, piece: Pick<PieceOn, "letter" | "side">): string {
  const { whitePiece, blackPiece } = state.texts;
  return fill(piece.side === "white" ? whitePiece : blackPiece, { piece: pieceTypeOf(state, piece.letter).name });
}
