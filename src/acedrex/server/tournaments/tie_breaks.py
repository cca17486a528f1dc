"""Tie-breaks by FIDE's handbook (C.07), in Swiss tournaments with its rules for unplayed rounds (article 16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from acedrex.server.tournaments.state import RoundRecord
from acedrex.server.wire import TieBreak

DRAW = 0.5
Records = Mapping[int, Sequence[RoundRecord]]


class Contribution(Struct, frozen=True, order=True):
    """What a round adds to a tie-break, and the opponent's score that it comes from."""

    score: float
    value: float
    voluntary: bool


def total(rounds: Sequence[RoundRecord]) -> float:
    """Return the points of a player."""
    return sum(one.points or 0.0 for one in rounds)


class TieBreaks:
    """The tie-breaks of a tournament after some rounds."""

    def __init__(self, records: Records, rounds: int, *, swiss: bool) -> None:
        """Start with what all players did in the rounds that count.

        :param rounds: the number of rounds of the tournament.
        :param swiss: whether the rules for unplayed rounds hold; in a round robin unplayed games count as played.
        """
        self._records = records
        self._rounds = rounds
        self._swiss = swiss
        self._totals = {player: total(found) for player, found in records.items()}
        self._adjusted = {player: self._adjusted_score(found) for player, found in records.items()}

    def of(self, player: int, name: TieBreak, tied: Sequence[int] = ()) -> float:
        """Return a tie-break of a player.

        :param tied: those who are level before it, for direct encounter.
        """
        if name == "DE":
            return sum(one.points or 0.0 for one in self._records[player] if one.opponent in tied)
        return OF[name](self, player)

    def have_all_met(self, tied: Sequence[int]) -> bool:
        """Return whether all of some players have met each other, so that direct encounter decides."""
        return all({one.opponent for one in self._records[player]} >= {*tied} - {player} for player in tied)

    def _adjusted_score(self, rounds: Sequence[RoundRecord]) -> float:
        """Return a score as it counts for opponents: a requested bye that no game follows is worth a draw."""
        score, played_later = 0.0, False
        for one in reversed(rounds):
            score += DRAW if self._swiss and one.requested and not played_later else one.points or 0.0
            played_later |= not one.voluntary
        return score

    def _contribution(self, player: int, one: RoundRecord, weight: float) -> Contribution:
        """Return what a round adds: an opponent's score, or that of a dummy in a round without a game."""
        if one.opponent is not None and (one.played or not self._swiss):
            score = self._adjusted[one.opponent]
        elif one.opponent is not None:
            score = min(self._totals[player], self._adjusted[one.opponent])
        else:
            score = min(self._totals[player], self._rounds * DRAW)
        return Contribution(score, score * weight, one.voluntary)

    def _contributions(self, player: int, *, weighted: bool) -> list[Contribution]:
        rounds = [one for one in self._records[player] if self._swiss or one.opponent is not None]
        return [self._contribution(player, one, (one.points or 0.0) if weighted else 1.0) for one in rounds]

    def buchholz(self, player: int, cut: int = 0) -> float:
        """Return the sum of the opponents' scores; what is cut are voluntary unplayed rounds first."""
        found = sorted(self._contributions(player, weighted=False), key=lambda one: (not one.voluntary, one.score))
        return sum(one.value for one in found[cut:])

    def sonneborn_berger(self, player: int) -> float:
        """Return the sum of the opponents' scores, each times the points against them."""
        return sum(one.value for one in self._contributions(player, weighted=True))

    def wins(self, player: int) -> float:
        """Return the number of rounds with as many points as a win has, also without a game."""
        return float(sum(one.points == 1 for one in self._records[player]))

    def games_won(self, player: int) -> float:
        """Return the number of games won over the board."""
        return float(sum(one.wins for one in self._records[player]))

    def progressive(self, player: int) -> float:
        """Return the sum of the scores after each round."""
        score = sum_of_scores = 0.0
        for one in self._records[player]:
            score += one.points or 0.0
            sum_of_scores += score
        return sum_of_scores

    def koya(self, player: int) -> float:
        """Return the points against those who have at least half of all points."""
        half = self._rounds * DRAW
        good = {other for other, score in self._totals.items() if score >= half}
        return sum(one.points or 0.0 for one in self._records[player] if one.opponent in good)

    def game_points(self, player: int) -> float:
        """Return the points of all games."""
        return sum(one.game_points for one in self._records[player])


OF: dict[TieBreak, Callable[[TieBreaks, int], float]] = {
    "BH": TieBreaks.buchholz,
    "BH-C1": lambda found, player: found.buchholz(player, 1),
    "SB": TieBreaks.sonneborn_berger,
    "WIN": TieBreaks.wins,
    "WON": TieBreaks.games_won,
    "PS": TieBreaks.progressive,
    "KS": TieBreaks.koya,
    "GP": TieBreaks.game_points,
}


def ranked(
    players: Sequence[int], points: Mapping[int, float], names: Sequence[TieBreak], found: TieBreaks
) -> list[tuple[int, int, list[float]]]:
    """Return the players in order, with their places, which the level share, and their tie-breaks."""
    values: dict[int, list[float]] = {player: [] for player in players}
    groups = _split([*players], lambda player: points[player])
    for name in names:
        new = []
        for group in groups:
            measured = {player: found.of(player, name, group) for player in group}
            for player in group:
                values[player].append(measured[player])
            decides = len(group) > 1 and (name != "DE" or found.have_all_met(group))
            new += _split(group, measured.__getitem__) if decides else [group]
        groups = new
    place, told = 1, []
    for group in groups:
        told += [(player, place, values[player]) for player in group]
        place += len(group)
    return told


def _split(group: list[int], key: Callable[[int], float]) -> list[list[int]]:
    """Split a group by a value, the highest first, without changing the order of those who are level."""
    return [[player for player in group if key(player) == value] for value in sorted({*map(key, group)}, reverse=True)]
