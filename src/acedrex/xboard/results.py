"""Results as XBoard writes them."""

from __future__ import annotations

from collections.abc import Mapping

from acedrex.outcome import Outcome, Termination, reason_words

__all__ = ["result_line"]

REASONS = {
    Termination.STALEMATE: "Stalemate",
    Termination.DEAD_POSITION: "Draw: no mate is possible",
    Termination.BARE_KING: "Bare King",
    Termination.BARE_KINGS: "Draw: both Kings are bare",
    Termination.ROYALS_CAPTURED: "The last royal piece is taken",
    Termination.NO_MOVES: "No moves",
}


def result_line(outcome: Outcome, limits: Mapping[str, int]) -> str:
    """Write how a game ended, by the limits of its draws.

    >>> result_line(Outcome(Termination.CHECKMATE, True, "1-0"), {})
    '1-0 {White mates}'
    >>> result_line(Outcome(Termination.SEVENTYFIVE_MOVES, None, "1/2-1/2"), {"seventyfive_moves": 120})
    '1/2-1/2 {Draw: 60-move rule}'
    """
    if outcome.termination is Termination.CHECKMATE:
        return f"{outcome.result()} {{{'White' if outcome.winner else 'Black'} mates}}"
    name = outcome.termination.value
    reason = REASONS.get(outcome.termination) or f"Draw: {reason_words(name, limits.get(name))}"
    return f"{outcome.result()} {{{reason}}}"
