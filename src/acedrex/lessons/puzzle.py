"""Puzzles: a position, what is to be done in it, and the only way to do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lessons.prove import Prover, mating_line, turn_line

__all__ = ["AttemptResult", "Goal", "Puzzle", "Verdict"]

#: To mate in so many moves of one's own, or within this turn, or to capture a royal piece within this turn.
Goal = Literal["mate", "turn_mate", "capture"]
#: ``right`` goes on, ``solved`` is the end, ``wrong`` was not it, ``shown`` was asked for.
Verdict = Literal["right", "solved", "wrong", "shown"]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What came of a try: the moves that stand, with the reply to them."""

    verdict: Verdict
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one solution.

    ``line`` are the moves of the solution: with a mate each second one is the reply, and those of a turn may come in
    any order in which they are legal. ``teaches`` is the letter of the piece, or the key of the rule, that an exercise
    is about.
    """

    fen: str
    goal: Goal
    line: tuple[str, ...]
    teaches: str = ""

    @property
    def moves(self) -> int:
        """How many moves the solver has to find."""
        return (len(self.line) + 1) // 2 if self.goal == "mate" else len(self.line)

    def takes(self, game: Game) -> int:
        """How many royal pieces the solution captures; of a mate, 1."""
        if self.goal != "capture":
            return 1
        board = Board(game, self.fen)
        royals = board.royals(not board.turn)
        return sum(Move.from_uci(move).to_square in royals for move in self.line)

    def tried(self, game: Game, moves: Sequence[str]) -> AttemptResult:
        """Judge the moves of solver and replies so far.

        :raises Error: if one is not legal, or they are no line of this puzzle but for the last.
        """
        if not moves:
            return AttemptResult("right", ())
        board, rest = Board(game, self.fen), list(self.line)
        *before, last = moves
        if not all(self._goes_on(board, move, rest) for move in before) or not rest:
            raise Error("these moves do not match the puzzle so far; start it again")
        if not self._goes_on(board, last, rest):
            return AttemptResult("wrong", tuple(before))
        if not rest:
            return AttemptResult("solved", tuple(moves))
        return AttemptResult("right", (*moves, *rest[:1]) if self.goal == "mate" else tuple(moves))

    def _goes_on(self, board: Board, move: str, rest: list[str]) -> bool:
        """Make a move and strike it off the rest of the line, if it is one that the rest can follow."""
        made = board.parse_uci(move).uci()
        if made not in (rest[:1] if self.goal == "mate" else rest):
            return False
        rest.remove(made)
        board.push_uci(made)
        return self.goal == "mate" or _can_be_made(board, rest)

    def is_proved(self, game: Game, most: int = 20_000_000) -> bool:
        """Tell by trying everything whether each move of the solution is the only one, and none is quicker.

        :raises acedrex.lessons.prove.TooLongError: if that takes more than ``most`` positions.
        """
        board = Board(game, self.fen)
        prover = Prover(most)
        if self.goal != "mate":
            found = turn_line(board, len(self.line), self.takes(game), prover)
            return found is not None and {move.uci() for move in found} == set(self.line)
        if self.moves > 1 and prover.mates(board, self.moves - 1):
            return False
        for index, move in enumerate(self.line):
            if index % 2 == 0 and [key.uci() for key in prover.keys(board, self.moves - index // 2)] != [move]:
                return False
            board.push_uci(move)
        return board.is_checkmate()


def _can_be_made(board: Board, moves: Sequence[str]) -> bool:
    """Return whether these moves are legal one after another, in some order."""
    for at, move in enumerate(moves):
        if move in [legal.uci() for legal in board.legal_moves]:
            board.push_uci(move)
            found = _can_be_made(board, [*moves[:at], *moves[at + 1 :]])
            board.pop()
            if found:
                return True
    return not moves


def solve(board: Board, goal: Goal, moves: int, most: int, takes: int = 1) -> Puzzle | None:
    """Make a puzzle of a position, if there is exactly one solution of so many moves of the solver.

    With ``takes``, that is one that captures so many royal pieces, where the goal is to capture.
    """
    prover = Prover(most)
    line = mating_line(board, moves, prover) if goal == "mate" else turn_line(board, moves, takes, prover)
    return None if line is None else Puzzle(board.fen(), goal, tuple(move.uci() for move in line))
