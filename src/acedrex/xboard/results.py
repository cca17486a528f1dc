"""Results as XBoard writes them."""

from __future__ import annotations

from acedrex.outcome import Outcome, Termination

__all__ = ["result_line"]

REASONS = {
    Termination.STALEMATE: "Stalemate",
    Termination.DEAD_POSITION: "Draw: no mate is possible",
    Termination.FIVEFOLD_REPETITION: "Draw by repetition",
    Termination.SEVENTYFIVE_MOVES: "Draw by the 75 move rule",
    Termination.BARE_KING: "Bare King",
    Termination.BARE_KINGS: "Draw: both Kings are bare",
    Termination.ROYALS_CAPTURED: "The last royal piece is taken",
    Termination.NO_MOVES: "No moves",
}


def result_line(outcome: Outcome) -> str:
    """Write how a game ended.

    >>> result_line(Outcome(Termination.CHECKMATE, True, "1-0"))
    '1-0 {White mates}'
    """
    if outcome.termination is Termination.CHECKMATE:
        return f"{outcome.result()} {{{'White' if outcome.winner else 'Black'} mates}}"
    reason = REASONS.get(outcome.termination, outcome.termination.value.replace("_", " "))
    return f"{outcome.result()} {{{reason}}}"
