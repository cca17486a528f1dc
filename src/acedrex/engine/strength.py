"""The strength of the levels."""

from __future__ import annotations

__all__ = ["ELO", "level_of_elo"]

#: Elo of the levels: their differences at Metamachy and Magi (docs/ladder.md), on a scale that begins at 800. The last
#: is an estimate, since full strength depends on the thinking time.
ELO = dict(enumerate((800, 930, 1100, 1280, 1450, 1660, 1790, 1960, 2110, 3000), start=1))


def level_of_elo(elo: int) -> int:
    """Return the level nearest to an Elo rating, the weaker of two equally near ones.

    >>> level_of_elo(800), level_of_elo(1000), level_of_elo(9999)
    (1, 2, 10)
    """
    return min(ELO, key=lambda level: (abs(ELO[level] - elo), level))
