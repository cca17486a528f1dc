"""What is due in a tournament: which events follow by themselves, and which games begin. It changes nothing."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from acedrex.server.tournaments import arena, events, knockout, round_robin
from acedrex.server.tournaments.events import Event
from acedrex.server.tournaments.state import MINUTE, Board, Tournament

#: Milliseconds before an appointment from which players may say that they are there, and after it, when who is there
#: wins against somebody who is not.
EARLY, NO_SHOW = 15 * MINUTE, 30 * MINUTE
#: Milliseconds without a pairing in which nobody of an arena waits long: it is looked at again at once.
NOW = 0


class Plan(Struct):
    """What is due: events, the games that begin, as a board and who has White, and the round of a Swiss to pair."""

    events: list[Event] = field(default_factory=list)
    begin: list[tuple[int, int]] = field(default_factory=list)
    swiss_round: int | None = None
    #: The games that somebody who has left resigns: the match, and 0 for White and 1 for Black.
    resign: list[tuple[str, int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.events or self.begin or self.swiss_round or self.resign)


class Spare(Struct, frozen=True):
    """A house engine that could fill a table, and its rating."""

    engine: str
    rating: int
    provisional: bool


def due(
    t: Tournament,
    now: int,
    *,
    gone: Collection[int] = (),
    waiting: Mapping[int, int] | None = None,
    spare: Sequence[Spare] = (),
) -> Plan:
    """Return what is due.

    :param gone: players whose data was deleted or whose account is closed.
    :param waiting: of an arena who waits for a game, and since when.
    :param spare: the house engines that may enter.
    """
    left: list[Event] = [events.Withdrew(at=now, player=one, removed=True) for one in gone if t.players[one].active]
    if left:
        return Plan(left)
    if t.phase == "open":
        return _start(t, now, spare) if now >= t.starts_at else Plan()
    if t.phase != "running":
        return Plan()
    if t.kind == "arena":
        return _arena(t, now, waiting or {})
    return _boards(t, now, gone) or _round(t, now)


def next_moment(t: Tournament) -> int | None:
    """Return when something is due, as far as the time alone decides it; ``None`` if nothing ever is."""
    if t.phase == "open":
        return t.starts_at
    if t.phase != "running":
        return None
    if t.kind == "arena" or due(t, t.at):
        return NOW
    moments = [next_round_at(t)]
    for board in t.unfinished():
        if not board.games and (until := t.until(board)) is not None:
            moments.append(until)
            if board.appointment is not None and board.there:
                moments.append(board.appointment + NO_SHOW)
    return min((moment for moment in moments if moment is not None), default=None)


def next_round_at(t: Tournament) -> int | None:
    """Return when the next round is paired, once the last one is over; ``None`` if there is none to wait for."""
    if t.phase != "running" or t.kind == "arena" or t.round == t.rounds or t.unfinished():
        return None
    ended = max((board.ended_at or 0 for board in t.in_round(t.round)), default=t.at)
    if t.round == 0 or t.is_slow or t.by_appointment:
        return max(ended, t.started_at or 0)
    return max(ended, t.paired_at) + t.settings.pause_s * 1000


# The start.


def _start(t: Tournament, now: int, spare: Sequence[Spare]) -> Plan:
    found = Plan()
    free = min(t.settings.fill, t.settings.max_players) - len(t.active())
    number = len(t.players)
    for one in spare[: max(0, free)]:
        number += 1
        entered = events.Entered(
            at=now, player=number, rating=one.rating, provisional=one.provisional, engine=one.engine
        )
        found.events.append(entered)
    size = len(t.active()) + len(found.events)
    host_is_gone = t.host is not None and t.host not in t.active()
    if size < 2 or host_is_gone:
        return Plan([events.Cancelled(at=now)])
    order = [*t.active(), *range(len(t.players) + 1, number + 1)]
    if t.kind == "round_robin":
        # The handbook has lots drawn for the pairing numbers.
        random.shuffle(order)
    found.events.append(events.Started(at=now, order=order))
    return found


# An arena.


def _arena(t: Tournament, now: int, waiting: Mapping[int, int]) -> Plan:
    assert t.ends_at is not None
    if now >= t.ends_at:
        return Plan([events.Finished(at=now)])
    pairs = arena.pairs(t, waiting, now)
    return _paired(t, now, t.round + 1, pairs) if pairs else Plan()


def _paired(t: Tournament, now: int, round: int, pairs: list[tuple[int, int]]) -> Plan:
    first = len(t.boards)
    begin = [(first + place, white) for place, (white, _) in enumerate(pairs)]
    return Plan([events.Paired(at=now, round=round, pairs=pairs)], begin)


# Rounds.


def _boards(t: Tournament, now: int, gone: Collection[int]) -> Plan:
    """Return what is due at the boards that are not decided."""
    found = Plan()
    for board in t.unfinished():
        here = [player for player in board.players if t.players[player].active]
        if len(here) < 2 and t.kind != "swiss":
            # In a Swiss somebody who leaves plays the game of the round to its end.
            found.resign += [(game.match, int((game.white in here) == bool(here))) for game in board.running]
        if (len(here) < 2 and not board.running) or {*board.players} <= {*gone}:
            winner = here[0] if here else None
            found.events.append(events.Decided(at=now, board=board.number, winner=winner))
        elif t.by_appointment and not board.games:
            _appointment(t, board, now, found)
        else:
            _games(t, board, found)
    return found


def _games(t: Tournament, board: Board, found: Plan) -> None:
    white = t.next_game(board)
    if white is None:
        return
    found.begin.append((board.number, white))
    # The games of a pair that last for days begin together.
    for _ in range(len(board.games) + 1, t.settings.games if t.is_slow else 0):
        white = board.other(white)
        found.begin.append((board.number, white))


def _appointment(t: Tournament, board: Board, now: int, found: Plan) -> None:
    until, at = t.until(board), board.appointment
    assert until is not None
    if at is not None and len(board.there) == 2:
        _games(t, board, found)
    elif at is not None and board.there and now >= at + NO_SHOW:
        found.events.append(events.Decided(at=now, board=board.number, winner=next(iter(board.there))))
    elif now >= max(until, 0 if at is None else at + NO_SHOW):
        found.events.append(events.Decided(at=now, board=board.number, winner=None))


def _round(t: Tournament, now: int) -> Plan:
    """Pair the next round once the last one is over, or end."""
    if t.unfinished():
        return Plan()
    if t.round == t.rounds or (t.kind == "swiss" and len(t.active()) < 2):
        return Plan([events.Finished(at=now)])
    moment = next_round_at(t)
    if moment is None or now < moment:
        return Plan()
    round = t.round + 1
    match t.kind:
        case "swiss":
            return Plan(swiss_round=round)
        case "knockout":
            return Plan([events.Paired(at=now, round=round, pairs=knockout.pairs(t, round))])
        case "simul":
            return Plan([events.Paired(at=now, round=1, pairs=_simul(t))])
    table = round_robin.rounds(len(t.order), t.settings.cycles)
    wanted = range(1, len(table) + 1) if t.at_once else (round,)
    found: list[Event] = []
    for number in wanted:
        pairs = [(t.order[one - 1], t.order[other - 1]) for one, other in table[number - 1]]
        found.append(events.Paired(at=now, round=number, pairs=pairs))
    return Plan(found)


def _simul(t: Tournament) -> list[tuple[int, int]]:
    host, side = t.host or 1, t.settings.host_side
    others = [player for player in t.active() if player != host]
    found = []
    for place, other in enumerate(others):
        is_white = place % 2 == 0 if side is None else side == "white"
        found.append((host, other) if is_white else (other, host))
    return found
