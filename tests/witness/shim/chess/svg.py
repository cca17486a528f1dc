"""Drawings."""

from acedrex.svg import *  # noqa: F403 - the names under test


def Arrow(tail: int, head: int, *, color: str = "green") -> tuple[int, int, str]:  # noqa: N802 - a class there
    """Return an arrow as Acedrex has it."""
    return tail, head, color
