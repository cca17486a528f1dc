"""The standings of a tournament: places, points and tie-breaks."""

from __future__ import annotations

from msgspec import Struct, structs

from acedrex.server.tournaments.knockout import bracket
from acedrex.server.tournaments.state import RoundRecord, Tournament
from acedrex.server.tournaments.tie_breaks import TieBreaks, ranked, total
from acedrex.server.wire import TieBreak, TournamentKind

#: The tie-breaks of those who choose none.
DEFAULT: dict[TournamentKind, list[TieBreak]] = {
    "swiss": ["BH-C1", "BH", "SB", "DE", "WIN"],
    "round_robin": ["DE", "WIN", "SB", "KS"],
    "arena": [],
    "knockout": [],
    "simul": [],
}


class Place(Struct, frozen=True):
    """Where a player stands."""

    player: int
    rank: int
    points: float
    tie_breaks: list[float]
    record: list[RoundRecord]
    on_fire: bool = False


def names(t: Tournament) -> list[TieBreak]:
    """Return the tie-breaks of a tournament."""
    return t.settings.tie_breaks or DEFAULT[t.kind]


def standings(t: Tournament) -> list[Place]:
    """Return where all players stand, the first one first; before the start in the order of their ratings."""
    if t.kind == "arena":
        return _of_arena(t)
    records = {player: t.record(player) for player in t.seeds()}
    if t.kind == "knockout":
        return _of_knockout(t, records)
    if t.kind == "round_robin":
        _annul(t, records)
    counted = records
    if t.kind == "swiss" and t.phase == "running":
        # A round counts for tie-breaks when all of it is over.
        over = t.round - (1 if t.unfinished() else 0)
        counted = {player: found[:over] for player, found in records.items()}
    found = TieBreaks(counted, t.rounds or t.round, swiss=t.kind == "swiss")
    points = {player: total(record) for player, record in records.items()}
    order = ranked(t.seeds(), points, names(t), found)
    return [Place(player, rank, points[player], values, records[player]) for player, rank, values in order]


def winner(t: Tournament) -> int | None:
    """Return the only one who is first, if there is one."""
    first = [place.player for place in standings(t) if place.rank == 1]
    return first[0] if len(first) == 1 else None


def _of_arena(t: Tournament) -> list[Place]:
    records = {player: t.arena_record(player) for player in t.seeds()}
    points = {player: float(record.points) for player, record in records.items()}
    order = ranked([*records], points, [], TieBreaks({}, 0, swiss=False))
    return [
        Place(player, rank, points[player], [], records[player].games, records[player].on_fire)
        for player, rank, _ in order
    ]


def _of_knockout(t: Tournament, records: dict[int, list[RoundRecord]]) -> list[Place]:
    """Rank the players of a knockout by the rounds that they have passed, also those without an opponent."""
    passed = [{*bracket(t, round + 1)} for round in range(1, t.round + 1)]
    points = {player: float(sum(player in those for those in passed)) for player in records}
    for player, record in records.items():
        records[player] = [
            structs.replace(one, points=1.0) if one.opponent is None and player in those else one
            for one, those in zip(record, passed, strict=True)
        ]
    order = ranked(t.seeds(), points, [], TieBreaks({}, 0, swiss=False))
    return [Place(player, rank, points[player], [], records[player]) for player, rank, _ in order]


def _annul(t: Tournament, records: dict[int, list[RoundRecord]]) -> None:
    """Take out of the scores the games of players who left a round robin before half of it, as the handbook says."""
    rounds = len(t.order) - 1
    early = set()
    for player, found in records.items():
        played = sum(one.played for one in found)
        if not t.players[player].active and played < rounds * t.settings.cycles / 2:
            early.add(player)
    if not early:
        return
    for player, found in records.items():
        records[player] = [
            structs.replace(one, points=0.0) if one.points and (player in early or one.opponent in early) else one
            for one in found
        ]
