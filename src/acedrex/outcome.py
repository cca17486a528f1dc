"""How games end: the reason, the winner and the score."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["Outcome", "Termination", "reason_words"]


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
    """How a game ended: the reason, the winner (``None`` for a draw), and the score (``3-1`` with four points)."""

    termination: Termination
    winner: bool | None
    score: str

    def result(self) -> str:
        """Return the result as PGN writes it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]


def reason_words(reason: str, limit: int | None = None) -> str:
    """Return a reason in words; for draws by repetition or without progress, with the limit of the game.

    >>> reason_words("no_moves"), reason_words("fivefold_repetition", 2), reason_words("seventyfive_moves", 120)
    ('no moves', '2-fold repetition', '60-move rule')

    :param reason: the value of a :class:`Termination`, or another name of an ending.
    :param limit: the limit in :attr:`acedrex.Game.draw_limits`, if there is one.
    """
    if reason in (Termination.THREEFOLD_REPETITION.value, Termination.FIVEFOLD_REPETITION.value):
        return (
            "repetition" if not limit else {3: "threefold", 5: "fivefold"}.get(limit, f"{limit}-fold") + " repetition"
        )
    if reason in (Termination.FIFTY_MOVES.value, Termination.SEVENTYFIVE_MOVES.value):
        return "move-count rule" if not limit else f"{limit / 2:g}-move rule"
    return reason.replace("_", " ")
