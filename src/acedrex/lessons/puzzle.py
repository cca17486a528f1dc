"""Puzzles: a position, a goal, and the only solution."""

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

#: Force mate, mate within this turn, or capture royal pieces within this turn.
Goal = Literal["mate", "turn_mate", "capture"]
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

    ``line`` are the moves of the solution: for ``mate`` every second move is a reply, and the moves of a turn may be
    made in any legal order. ``teaches`` is the letter of the piece, or the key of the rule, that an exercise is about.
    """

    fen: str
    goal: Goal
    line: tuple[str, ...]
    teaches: str = ""

    @property
    def moves(self) -> int:
        """The number of moves that the solver must find."""
        return (len(self.line) + 1) // 2 if self.goal == "mate" else len(self.line)

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
        """Make a move and remove it from the rest of the line, if it belongs there; return whether it does."""
        made = board.parse_uci(move).uci()
        if made not in (rest[:1] if self.goal == "mate" else rest):
            return False
        rest.remove(made)
        board.push_uci(made)
        return self.goal == "mate" or _can_be_made(board, rest)

    def is_proved(self, game: Game, most: int = 20_000_000) -> bool:
        """Return whether exhaustive search proves that the solution is the only one and the fastest.

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
    """Return whether the moves can be made one after another in some order."""
    for at, move in enumerate(moves):
        if move in [legal.uci() for legal in board.legal_moves]:
            board.push_uci(move)
            found = _can_be_made(board, [*moves[:at], *moves[at + 1 :]])
            board.pop()
            if found:
                return True
    return not moves


def solve(board: Board, goal: Goal, moves: int, most: int, takes: int = 1) -> Puzzle | None:
    """Return the puzzle of a position; ``None`` if there is not exactly one solution with ``moves`` moves.

    :param most: the most positions to search.
    :param takes: the royal pieces to capture, if that is the goal.
    :raises acedrex.lessons.prove.TooLongError: if that takes more positions.
    """
    prover = Prover(most)
    line = mating_line(board, moves, prover) if goal == "mate" else turn_line(board, moves, takes, prover)
    return None if line is None else Puzzle(board.fen(), goal, tuple(move.uci() for move in line))
