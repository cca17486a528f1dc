"""Puzzles: a position, a goal, and the only solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from acedrex import _native
from acedrex._native import Move, TooLongError
from acedrex.board import Board
from acedrex.game import Game

__all__ = ["AttemptResult", "Difficulty", "Goal", "Puzzle", "TooLongError", "Verdict"]

#: What the moves of a puzzle reach. ``mate``: force mate; ``win``: win a piece, or mate; ``defence``: avoid
#: being mated in two moves. Within this turn, ``turn_mate``: mate; ``capture``: capture royal pieces; ``save``: leave
#: no royal piece to be captured in the next turn.
Goal = Literal["mate", "win", "defence", "turn_mate", "capture", "save"]
#: The goals with a reply after each move but the last.
WITH_REPLIES = tuple(name for name, has_replies in _native.puzzle_goals() if has_replies)
#: The last steps of the ladder that solve easy and medium puzzles, with replies and within a turn.
STEPS, TURN_STEPS = (6, 11), (1, 2)
#: How hard a puzzle is.
Difficulty = Literal["easy", "medium", "hard"]
#: ``right``: correct so far; ``solved``: complete; ``wrong``: not the solution; ``shown``: the solution was requested.
Verdict = Literal["right", "solved", "wrong", "shown"]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt: the verdict, and the accepted moves with the reply to them."""

    verdict: Verdict
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one solution.

    ``line`` are the moves of the solution: if the enemy replies, every second move is a reply; the moves of a turn may
    be made in any legal order. ``teaches`` is the letter of the piece, or the key of the rule, that an exercise is
    about. ``step`` is the first step of a ladder of engines that solves the puzzle, from 1 to 13; 0 if not measured.
    """

    fen: str
    goal: Goal
    line: tuple[str, ...]
    teaches: str = ""
    step: int = 0

    @property
    def moves(self) -> int:
        """The number of moves that the solver must find."""
        return len(self.solution)

    @property
    def solution(self) -> tuple[str, ...]:
        """The moves of the solver, without replies."""
        return self.line[::2] if self.goal in WITH_REPLIES else self.line

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is, by the first step of the ladder that solves it."""
        easy, medium = STEPS if self.goal in WITH_REPLIES else TURN_STEPS
        return "easy" if self.step <= easy else "medium" if self.step <= medium else "hard"

    def takes(self, game: Game) -> int:
        """Return the number of royal pieces that the solution captures; 1 for a mate."""
        if self.goal != "capture":
            return 1
        board = Board(game, self.fen)
        royals = board.royals(not board.turn)
        return sum(Move.from_uci(move).to_square in royals for move in self.line)

    def attempt(self, game: Game, moves: Sequence[str]) -> AttemptResult:
        """Judge the last move of an attempt.

        :param moves: all moves so far, including replies.
        :raises Error: if a move is not legal, or the moves before the last are not part of the solution.
        """
        verdict, accepted = _native.attempt(Board(game, self.fen), self.goal, self.line, moves)
        return AttemptResult(verdict, tuple(accepted))

    def is_proved(self, game: Game, most: int = 20_000_000) -> bool:
        """Return whether exhaustive search proves that the solution is the only one and the fastest.

        :raises TooLongError: if that takes more than ``most`` positions.
        """
        return _native.is_solution(Board(game, self.fen), self.goal, self.line, self.takes(game), most)


def solve(board: Board, goal: Goal, moves: int, most: int, takes: int = 1) -> Puzzle | None:
    """Return the puzzle of a position; ``None`` if there is not exactly one solution with ``moves`` moves.

    :param most: the most positions to search.
    :param takes: the royal pieces to capture, if that is the goal.
    :raises TooLongError: if that takes more positions.
    """
    line = _native.solve(board, goal, moves, takes, most)
    return None if line is None else Puzzle(board.fen(), goal, tuple(move.uci() for move in line))
