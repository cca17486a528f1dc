"""Scores."""

from acedrex import PovScore, Score, Wdl

__all__ = ["Cp", "Mate", "PovScore", "Wdl"]


def Cp(cp: int) -> Score:  # noqa: N802 - a class there
    """Return a score in hundredths of a Pawn."""
    return Score(cp=cp)


def Mate(mate: int) -> Score:  # noqa: N802 - a class there
    """Return the score of a mate."""
    return Score(mate=mate)
