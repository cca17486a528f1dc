"""Pairs a round of a Swiss by the FIDE (Dutch) system. The arguments are plain data, so that another process can do it.

``py4swiss`` pairs; it is compared with a program that FIDE has endorsed.
"""

from __future__ import annotations

from msgspec import Struct
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from acedrex.server.tournaments.state import RoundRecord, Tournament

NO_COLOR = ColorToken.BYE_OR_NOT_PAIRED
PLAYED = {1.0: ResultToken.WIN, 0.5: ResultToken.DRAW, 0.0: ResultToken.LOSS}
BYES = {0.5: ResultToken.HALF_POINT_BYE, 0.0: ResultToken.ZERO_POINT_BYE}


class Entry(Struct, frozen=True):
    """What a player did in each round, in terms of pairing numbers: opponent, whether with White, and a result.

    The results are those of FIDE's report files: ``1``, ``=``, ``0``, ``+``, ``-``, ``U``, ``H``, ``Z``.
    """

    number: int
    rounds: list[tuple[int, bool, str]]
    pairs: bool = True


class Round(Struct, frozen=True):
    """The pairs of a round, White first, and who has no opponent."""

    pairs: list[tuple[int, int]]
    bye: int | None


def entries(t: Tournament, out: set[int]) -> list[Entry]:
    """Return the entries of all players, of whom some are not to be paired."""
    places = {player: place for place, player in enumerate(t.seeds(), start=1)}
    return [
        Entry(
            place,
            [_told(one, places) for one in t.record(player)],
            t.players[player].active and player not in out,
        )
        for player, place in places.items()
    ]


def _told(one: RoundRecord, places: dict[int, int]) -> tuple[int, bool, str]:
    points = one.points or 0.0
    if one.opponent is None:
        return 0, False, "U" if not one.requested else BYES[points].value
    result = PLAYED[points].value if one.played else "+" if points else "-"
    return places[one.opponent], one.side == "white", result


def pair(players: list[Entry], rounds: int) -> Round | None:
    """Pair the next round; return ``None`` if no further round can be paired.

    :param rounds: the number of rounds of the tournament.
    """
    done = len(players[0].rounds)
    sections = [_section(player) for player in players]
    out = {player.number for player in players if not player.pairs}
    # As in a tournament report, players who sit the round out have a result for it already.
    rules = XSection(number_of_rounds=max(rounds, done + 1), zeroed_ids=out)
    try:
        found = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=rules))
    except PairingError:
        return None
    pairs = [(pair.white, pair.black) for pair in found if pair.black]
    return Round(pairs, next((pair.white for pair in found if not pair.black), None))


def _section(player: Entry) -> PlayerSection:
    results = [
        RoundResult(
            id=opponent,
            color=NO_COLOR if not opponent else ColorToken.WHITE if is_white else ColorToken.BLACK,
            result=ResultToken(result),
        )
        for opponent, is_white, result in player.rounds
    ]
    tenths = {"1": 10, "+": 10, "U": 10, "=": 5, "H": 5}
    points = sum(tenths.get(result, 0) for _, _, result in player.rounds)
    return PlayerSection(
        code=PlayerCode.PLAYER, starting_number=player.number, points_times_ten=points, rank=player.number,
        results=results,
    )  # fmt: skip
