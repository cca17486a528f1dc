"""Highlighting where a piece can go while the user drags it in XBoard."""

from __future__ import annotations

import re

from acedrex._native import Move
from acedrex.board import Board

__all__ = ["Mouse"]

#: XBoard's colour codes by kind of move. For a promotion it asks for the piece; after a leg it waits for another leg.
PROMOTION, CAPTURE, STEP, LEG = "M", "R", "Y", "C"


class Mouse:
    """A piece dragged with the mouse.

    In games whose rules XBoard does not know, a capture *en passant* has two legs: first to the victim, then on.
    """

    def __init__(self, board: Board, origin: int, *, legs: bool) -> None:
        self.board = board.copy(stack=False)
        self._moves = [move for move in board.legal_moves if move.from_square == origin]
        self._legs = legs
        self._victim: int | None = None

    def lift(self, at: int) -> bool:
        """Lift the piece again; return whether a leg has ended on this square."""
        return self._victim == at

    def put(self, at: int) -> str:
        """Put the piece down, and return the letters of the kinds that it can promote to there."""
        if any(self._passes(move) == at for move in self._moves):
            self._victim = at
        return "".join(move.promotion for move in self._moves if move.promotion and move.to_square == at)

    def colors(self) -> str:
        """Return the colours of the squares that the piece can go to, in the form of the first field of a FEN."""
        marks: dict[int, str] = {}
        for move in self._moves:
            passed = self._passes(move)
            if passed is not None and self._victim is None:
                marks.setdefault(passed, LEG)
            elif passed == self._victim:
                step = CAPTURE if self.board.is_capture(move) else STEP
                marks[move.to_square] = PROMOTION if move.promotion else step
        game = self.board.game
        ranks = []
        for rank in reversed(range(game.ranks)):
            row = "".join(marks.get(rank * 16 + file, " ") for file in range(game.files))
            ranks.append(re.sub(" +", lambda run: str(len(run[0])), row))
        return "/".join(ranks)

    def _passes(self, move: Move) -> int | None:
        """Return the square of the victim if the move has two legs."""
        victim = self.board.move_info(move).captured_on
        return victim if self._legs and victim != move.to_square else None
