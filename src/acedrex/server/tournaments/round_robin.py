"""The rounds of a round robin by FIDE's Berger tables."""

from __future__ import annotations

Pairs = list[tuple[int, int]]


def rounds(size: int, cycles: int = 1) -> list[Pairs]:
    """Return the pairs of all rounds as pairing numbers, White first; with an odd number of players, without the byes.

    In a second cycle the colours are reversed, and the last two rounds of the first are exchanged, as the handbook
    recommends against three games with the same colour in a row.

    >>> rounds(4)
    [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    """
    even = size + size % 2
    table = [[pair for pair in _round(even, number) if max(pair) <= size] for number in range(1, even)]
    if cycles == 1:
        return table
    first = [*table[:-2], *reversed(table[-2:])] if even > 2 else table
    return first + [[(black, white) for white, black in pairs] for pairs in table]


def _round(even: int, number: int) -> Pairs:
    """Return a round: the last player stays, all others move on by half the table."""
    others = even - 1
    # The opponent of the last player.
    start = ((number - 1) * (even // 2)) % others
    place = [(start + step) % others + 1 for step in range(others)]
    last = (place[0], even) if number % 2 else (even, place[0])
    return [last, *((place[step], place[others - step]) for step in range(1, even // 2))]
