"""The ways in which games end."""

# Made by tools/make_types.py from crates/rules/src/outcome.rs. Change that, and run it.

from __future__ import annotations

import enum

__all__ = ["Termination"]


class Termination(enum.Enum):
    """Why a game is over.

    ``RESIGNATION`` to ``AGREEMENT`` come from the players: see :meth:`acedrex.Board.forfeit` and
    :meth:`acedrex.Board.agreement`.
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
    EXTINCTION = "extinction"
    SQUARES_REACHED = "squares_reached"
    CHECKS_GIVEN = "checks_given"
    PERPETUAL_CHECK = "perpetual_check"
