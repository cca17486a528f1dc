"""Puzzles: a position, what is to be done in it, and the only way to do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lessons.prove import Prover, mating_line, turn_line

__all__ = ["Goal", "Puzzle", "Tried", "Verdict"]

#: To mate in so many plies of one's own, or within this turn, or to capture a royal piece within this turn.
Goal = Literal["mate", "turn_mate", "capture"]
#: ``right`` goes on, ``solved`` is the end, ``wrong`` was not it, ``shown`` was asked for.
Verdict = Literal["right", "solved", "wrong", "shown"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a try: the plies that stand, with the reply to them."""

    verdict: Verdict
    plies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one solution.

    ``line`` are the plies of the solution: with a mate each second one is the reply. ``teaches`` is the letter of the
    piece, or the key of the rule, that an exercise is about.
    """

    fen: str
    goal: Goal
    line: tuple[str, ...]
    teaches: str = ""

    @property
    def plies(self) -> int:
        """How many plies the solver has to find."""
        return (len(self.line) + 1) // 2 if self.goal == "mate" else len(self.line)

    def tried(self, game: Game, plies: Sequence[str]) -> Tried:
        """Judge the plies of solver and replies so far.

        :raises Error: if one is not legal, or they are no line of this puzzle but for the last.
        """
        if not plies:
            return Tried("right", ())
        if len(plies) > len(self.line) or tuple(plies[:-1]) != self.line[: len(plies) - 1]:
            raise Error("these plies are not those of the puzzle so far; begin it again")
        board = Board(game, self.fen)
        for ply in plies[:-1]:
            board.push_uci(ply)
        made = board.parse_uci(plies[-1]).uci()
        if made != self.line[len(plies) - 1]:
            return Tried("wrong", tuple(plies[:-1]))
        if len(plies) == len(self.line):
            return Tried("solved", self.line)
        replied = len(plies) + 1 if self.goal == "mate" else len(plies)
        return Tried("right", self.line[:replied])

    def is_proved(self, game: Game, most: int = 20_000_000) -> bool:
        """Tell by trying everything whether each ply of the solution is the only one, and none is quicker.

        :raises acedrex.lessons.prove.TooLongError: if that takes more than ``most`` positions.
        """
        board = Board(game, self.fen)
        prover = Prover(most)
        if self.goal != "mate":
            found = turn_line(board, len(self.line), prover)
            return found is not None and tuple(move.uci() for move in found) == self.line
        if self.plies > 1 and prover.mates(board, self.plies - 1):
            return False
        for index, ply in enumerate(self.line):
            if index % 2 == 0 and [key.uci() for key in prover.keys(board, self.plies - index // 2)] != [ply]:
                return False
            board.push_uci(ply)
        return board.is_checkmate()


def solve(board: Board, goal: Goal, plies: int, most: int) -> Puzzle | None:
    """Make a puzzle of a position, if there is exactly one solution of so many plies of the solver."""
    finder = mating_line if goal == "mate" else turn_line
    line = finder(board, plies, Prover(most))
    return None if line is None else Puzzle(board.fen(), goal, tuple(move.uci() for move in line))
