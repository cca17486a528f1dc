"""Pairs those who wait in an arena: neighbours in the standings who have not just met."""

from __future__ import annotations

from collections.abc import Mapping

from acedrex.server.tournaments.state import Tournament

#: Opponents of a player who are avoided while there are others; milliseconds after which nobody is avoided any more.
RECENT, PATIENCE = 2, 15_000


def pairs(t: Tournament, waiting: Mapping[int, int], now: int) -> list[tuple[int, int]]:
    """Pair players who wait, each with the nearest below whom they have not just met; engines only with people.

    :param waiting: since when each waits.
    """
    totals = {player: t.arena_record(player).points for player in waiting}
    queue = sorted(waiting, key=lambda player: (-totals[player], -t.players[player].rating, player))
    # Of an odd number an engine waits, or who has waited least.
    if len(queue) % 2:
        queue.remove(max(queue, key=lambda player: (_is_engine(t, player), waiting[player], queue.index(player))))
    recent = {player: {board.other(player) for board in t.boards_of(player)[-RECENT:]} for player in queue}
    found = []
    while queue:
        one = queue.pop(0)
        others = [other for other in queue if not (_is_engine(t, one) and _is_engine(t, other))]
        new = [other for other in others if other not in recent[one]]
        if not new and (len(t.active()) <= RECENT + 1 or now - waiting[one] > PATIENCE):
            new = others
        if new:
            queue.remove(new[0])
            found.append(_with_colours(t, one, new[0]))
    return found


def _is_engine(t: Tournament, player: int) -> bool:
    return t.players[player].engine is not None


def _with_colours(t: Tournament, one: int, other: int) -> tuple[int, int]:
    """Give White to whoever has had it less often or, if both as often, had Black last."""

    def whites(player: int) -> tuple[int, bool]:
        sides = [player == board.first for board in t.boards_of(player)]
        return 2 * sum(sides) - len(sides), bool(sides and sides[-1])

    return (other, one) if whites(other) < whites(one) else (one, other)
