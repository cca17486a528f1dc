// The steps of a first game and the moves of their tasks, as plain data.

import type { Example, Game, LegalMove, Position, Reach } from "../wire";

export type Step =
  | { kind: "intro" }
  /** A move with a new piece, or the moves that show a special rule. */
  | { kind: "try"; example: Example }
  | { kind: "setup" }
  | { kind: "play" };

/** Returns the steps of a game's first game. */
export function stepsOf(game: Game, examples: Example[]): Step[] {
  const setup: Step[] = game.setup ? [{ kind: "setup" }] : [];
  return [
    { kind: "intro" },
    ...examples.map((example): Step => ({ kind: "try", example })),
    ...setup,
    { kind: "play" },
  ];
}

/** The squares of a move as text, or `null` of a special move such as `end`. */
export function squaresOf(move: string): { from: string; to: string } | null {
  const [, from, to] = /^([a-p]\d{1,2})([a-p]\d{1,2})/.exec(move) ?? [];
  return from && to ? { from, to } : null;
}

/** Whether a move is the expected one; a promotion may be to another piece. */
export function isExpected(move: LegalMove, expected: string | undefined): boolean {
  const squares = squaresOf(expected ?? "");
  return squares ? move.from === squares.from && move.to === squares.to : move.move === expected;
}

/** Returns where a piece can legally go, as the board marks it. */
export function legalReach(position: Position, square: string): Reach[] {
  return position.legal.flatMap(({ from, to, kind, reach }) =>
    from !== square || to === null ? [] : [reach ?? { to, kind, mount: null, path: [to], legs: [to] }],
  );
}
