"""How strong the levels are: 1 is for beginners, 10 is all that the engine can do."""

from __future__ import annotations

from dataclasses import replace

from acedrex.engine.limit import Limit

__all__ = ["ELO", "STRONGEST", "level_of_elo", "weaken"]

STRONGEST = 10
#: Elo of the levels: estimates, 150 apart, until the levels have played each other.
ELO = {level: 650 + 150 * level for level in range(1, STRONGEST + 1)}
#: Positions that a level visits at most.
NODES = {level: 20 * 3 ** (level - 1) for level in range(1, STRONGEST)}


def level_of_elo(elo: int) -> int:
    """Give the level that comes nearest to a number of Elo, the weaker of two.

    >>> level_of_elo(800), level_of_elo(1000), level_of_elo(9999)
    (1, 2, 10)
    """
    return min(ELO, key=lambda level: (abs(ELO[level] - elo), level))


def weaken(limit: Limit, level: int) -> Limit:
    """Give a limit under which the engine plays as a level does.

    >>> weaken(Limit(time=5), 1)
    Limit(time=5, nodes=20)
    """
    nodes = NODES.get(level)
    if nodes is None:
        return limit
    return replace(limit, nodes=nodes if limit.nodes is None else min(nodes, limit.nodes))
