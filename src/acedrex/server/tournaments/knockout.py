"""The bracket of a knockout: the better seeds meet as late as possible."""

from __future__ import annotations

from acedrex.server.tournaments.state import Tournament


def seeded(size: int) -> list[int]:
    """Return the places of a bracket by seeds, of which neighbours meet.

    >>> seeded(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    places = [1]
    while len(places) < size:
        total = 2 * len(places) + 1
        places = [place for one in places for place in (one, total - one)]
    return places


def bracket(t: Tournament, round: int) -> list[int | None]:
    """Return who is in which place of the bracket before a round, which is the next at most; nobody after a bye."""
    size = 1 << max(1, (len(t.order) - 1).bit_length())
    places: list[int | None] = [t.order[one - 1] if one <= len(t.order) else None for one in seeded(size)]
    for number in range(1, round):
        winners = {player: t.winner(board) for board in t.in_round(number) for player in board.players}
        places = [_ahead(places[at], places[at + 1], winners) for at in range(0, len(places), 2)]
    return places


def _ahead(one: int | None, other: int | None, winners: dict[int, int | None]) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    # A pair of whom both had withdrawn was not paired.
    return winners.get(one)


def pairs(t: Tournament, round: int) -> list[tuple[int, int]]:
    """Return the pairs of a round. Whoever has had White less often has it first, or else the better seed."""
    places = bracket(t, round)
    found = []
    for at in range(0, len(places), 2):
        one, other = places[at], places[at + 1]
        if one is not None and other is not None:
            found.append((other, one) if _whites(t, other) < _whites(t, one) else (one, other))
    return found


def _whites(t: Tournament, player: int) -> int:
    return sum((game.white == player) - (game.white != player) for board in t.boards_of(player) for game in board.games)
