"""How strong the levels are."""

from __future__ import annotations

__all__ = ["ELO", "level_of_elo"]

#: Elo of the levels: estimates, 150 apart, until the levels have played each other.
ELO = {level: 650 + 150 * level for level in range(1, 11)}


def level_of_elo(elo: int) -> int:
    """Give the level that comes nearest to a number of Elo, the weaker of two.

    >>> level_of_elo(800), level_of_elo(1000), level_of_elo(9999)
    (1, 2, 10)
    """
    return min(ELO, key=lambda level: (abs(ELO[level] - elo), level))
