"""How games end: why, who won and the score."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["Outcome", "Termination"]


class Termination(enum.Enum):
    """Why a game is over.

    The last four come from the players: see :meth:`acedrex.Board.forfeit` and :meth:`acedrex.Board.agreement`.
    """

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    ROYALS_CAPTURED = "royals_captured"
    BARE_KING = "bare_king"
    BARE_KINGS = "bare_kings"
    DEAD_POSITION = "dead_position"
    THREEFOLD_REPETITION = "threefold_repetition"
    FIVEFOLD_REPETITION = "fivefold_repetition"
    FIFTY_MOVES = "fifty_moves"
    SEVENTYFIVE_MOVES = "seventyfive_moves"
    DOUBLE_PASS = "double_pass"
    NO_MOVES = "no_moves"
    RESIGNATION = "resignation"
    TIME = "time"
    ABANDONMENT = "abandonment"
    AGREEMENT = "agreement"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won (``None`` if drawn), and the score as told (``3-1`` under four points)."""

    termination: Termination
    winner: bool | None
    score: str

    def result(self) -> str:
        """Give PGN's result: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]
