// Turns of several moves: which of their moves are shown, and their playback one after the other.

import { readPlacement } from "./fen.ts";
import { otherSide, type State } from "./state.ts";
import type { PieceOn, Position, Side, Square } from "./types.ts";

/** Return the moves that are marked, each as the squares that it touched, its origin first. */
export function shownMoves(state: State): Square[][] {
  const { position, playback } = state;
  if (!position) return [];
  const paths = position.last_turn.map((move) => move.path);
  const move = state.held ?? state.made;
  if (move) {
    const own = position.turn_moves.length ? paths : [];
    return move.from && move.to ? [...own, [move.from, ...(move.reach?.path ?? [move.to])]] : own;
  }
  if (paths.length) return paths.slice(0, playback ?? paths.length);
  return position.last.length ? [position.last] : [];
}

/** Whether moves are numbered: in games with turns of several moves. */
export function areNumbered({ position }: State): boolean {
  return position !== null && position.in_command !== null;
}

/** Return the pieces before the next move of the playback; `null` if nothing is played back. */
export function playedPieces({ position, playback }: State): PieceOn[] | null {
  const next = playback === null ? undefined : position?.last_turn[playback];
  return next ? readPlacement(next.before) : null;
}

/** Return the side that made the moves of a position's `last_turn`. */
function madeBy(position: Position): Side {
  return position.turn_moves.length ? position.turn : otherSide(position.turn);
}

/**
 * Return how many moves of a new position's turn are on the board already, if the rest is to be played back; `null` if
 * all are shown at once.
 */
export function playbackFrom(state: State, position: Position): number | null {
  const { position: before, paced, seat, made } = state;
  if (!paced || !before || made || position.ply <= before.ply) return null;
  if (seat === "both" || seat === madeBy(position)) return null;
  const shown = before.last_turn.slice(0, state.playback ?? before.last_turn.length);
  const isSeen = (at: number) =>
    shown[at]?.before === position.last_turn[at]?.before &&
    String(shown[at]?.path) === String(position.last_turn[at]?.path);
  let seen = 0;
  while (seen < shown.length && isSeen(seen)) seen += 1;
  return seen < position.last_turn.length ? seen : null;
}

/** Show the next move of the playback. */
export function advanced(state: State): State {
  const next = (state.playback ?? 0) + 1;
  return { ...state, playback: next < (state.position?.last_turn.length ?? 0) ? next : null };
}

/** Whether the turn on the board can be played back on request: not one that the player is making. */
export function canPlayBack({ position, seat, setup, held, made, still }: State): boolean {
  if (!position || position.last_turn.length < 2 || setup || held || made || still) return false;
  return position.turn_moves.length === 0 || (seat !== "both" && seat !== position.turn);
}
