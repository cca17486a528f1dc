// The change of the state that follows when the host changes settings.

import { canLift, pieceName, playPremove, putDown } from "./hand.ts";
import { shownPieces } from "./moves.ts";
import { playbackFrom } from "./playback.ts";
import type { Settings } from "./settings.ts";
import { arrange, nameOf } from "./setup.ts";
import { isSquare } from "./squares.ts";
import { type Change, type Effect, pieceAt, type State } from "./state.ts";
import { fill } from "./texts.ts";
import type { PieceOn, Position } from "./types.ts";
import { enterAwaited } from "./typing.ts";

export function receive(state: State, changes: Partial<Settings>): Change {
  const [next, ...effects] = follow(state, changes);
  const [entered, ...more] = enterAwaited(state, next);
  return [entered, ...effects, ...more];
}

function follow(state: State, changes: Partial<Settings>): Change {
  const next: State = { ...state, ...changes };
  if (!isSquare(next.focus, next)) next.focus = "a1";
  const effects: Effect[] = [];
  if (changes.setup !== undefined) followSetup(state, next, effects);
  if (!changes.position || changes.position === state.position) return [next, ...effects];
  return followPosition(state, next, changes.position, effects);
}

function followSetup(state: State, next: State, effects: Effect[]): void {
  const [before, now] = [state.setup, next.setup];
  if (now?.phase === before?.phase && now?.name === before?.name) return;
  Object.assign(next, putDown(next));
  next.arrangement = now ? arrange(now.phase, now.name) : {};
  if (now?.mine && now.name) effects.push({ what: "arrange", name: nameOf(now.phase, next.arrangement) });
}

function followPosition(state: State, next: State, position: Position, effects: Effect[]): Change {
  next.made = null;
  next.held = null;
  next.choice = [];
  next.playback = playbackFrom(state, position);
  const { hand } = next;
  if (hand && "square" in hand && !canLift(next, hand.square)) Object.assign(next, putDown(next));
  const moved = position.ply !== state.position?.ply;
  if (moved) next.notice = "";
  if (moved && state.drawn.length) next.drawn = [];
  if (moved && state.position && position.last.length) {
    effects.push({ what: "say", text: moveText(state.position, next, position) });
  }
  if (next.inspected) {
    const { square } = next.inspected;
    next.inspected = shownPieces(next).some((piece) => piece.square === square) ? { square, reach: null } : null;
    if (next.inspected) effects.push({ what: "reach", square });
  }
  const [played, ...more] = playPremove(next);
  const moves = played.made || played.held;
  return [moves ? { ...played, playback: null } : played, ...effects, ...more];
}

/** Return the last move for screen readers: "black Rhinoceros, g7 to h9, white Pawn captured, check". */
function moveText(before: Position, state: State, now: Position): string {
  const { texts } = state;
  const [from, to] = [now.last[0], now.last.at(-1)];
  const piece = to && pieceAt(state, to);
  if (!from || !to || !piece) return "";
  const parts = [fill(texts.moved, { piece: pieceName(state, piece), from, to })];
  // Of a step back, or over several moves, the two positions do not tell what the last move captured.
  const captured = now.ply === before.ply + 1 ? capturedBetween(before.pieces, now.pieces, piece) : undefined;
  if (captured) parts.push(fill(texts.captured, { piece: pieceName(state, captured) }));
  if (now.check.length) parts.push(texts.check);
  return parts.join(", ");
}

function capturedBetween(before: PieceOn[], now: PieceOn[], moved: PieceOn): PieceOn | undefined {
  const others = (pieces: PieceOn[]) => pieces.filter((piece) => piece.side !== moved.side);
  const still = new Set(others(now).map((piece) => piece.square));
  const left = others(before).filter((piece) => !still.has(piece.square));
  return left.length === 1 ? left[0] : undefined;
}
