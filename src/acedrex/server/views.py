"""What a match looks like to somebody: snapshots and updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from acedrex.server import clock, events, wire
from acedrex.server.decide import may
from acedrex.server.positions import position
from acedrex.server.state import Match
from acedrex.server.wire import NoTime, Side

encode: Callable[[wire.FromServer], bytes] = msgspec.json.Encoder().encode

Seats = frozenset[Side]

#: Events after which everybody gets a snapshot, since players, setup or start have changed.
BEGINNINGS = (events.Seated, events.SetupChosen)
#: Events that change what stands on the board.
MOVING = (events.MovePlayed, events.Undone)


def clock_of(match: Match, now: int) -> wire.Clock | None:
    """Tell the clock. While the setup is chosen it shows the time for that, as Black's."""
    if match.clock is None:
        return None
    return clock.show(NoTime() if match.phase == "setup" else match.created.time, match.clock, now)


def position_of(match: Match, seats: Seats) -> wire.Position:
    """Tell the position, with legal moves for whoever may make one."""
    last = match.ways[-1] if match.ways else []
    return position(match.board, last, legal=match.phase == "play" and match.turn in seats)


def snapshot(
    match: Match, seats: Seats, now: int, *, online: Seats, watchers: int, chat: list[wire.ChatLine]
) -> wire.Snapshot:
    """Tell everything."""
    created = match.created
    return wire.Snapshot(
        match=match.id,
        number=match.number,
        game=wire.MatchGame(
            match.game.id, created.options, match.game.name, created.rules_hash, match.game.draw_limits
        ),
        phase=match.phase,
        opponent=created.opponent,
        seat="both" if len(seats) == 2 else next(iter(seats), None),
        players=wire.Players(_player(match, "white", online), _player(match, "black", online)),
        time=created.time,
        clock=clock_of(match, now),
        setup=match.setup,
        start_fen=match.board.root_fen,
        moves=match.moves,
        position=position_of(match, seats),
        offers=match.offers,
        ending=match.ending,
        rematch=match.rematch,
        chat=chat,
        hints=created.hints,
        watchers=watchers,
        may=may(match, seats),
    )


def _player(match: Match, side: Side, online: Seats) -> wire.Player:
    seat = match.seats.get(side)
    if seat is None:
        return wire.Player("", "nobody", None, False)
    engine = seat.level is not None
    return wire.Player(seat.name, "engine" if engine else "guest", seat.level, engine or side in online)


def updates(match: Match, event: events.Event, groups: Iterable[Seats], now: int) -> dict[Seats, str]:
    """Tell what an event, the last of the match, has changed: one text for all who play the same sides."""
    taken_back = isinstance(event, events.Answered) and event.what == "takeback" and event.accept
    shown = isinstance(event, MOVING) or taken_back
    clocks = clock_of(match, now)
    made = match.moves[-1] if isinstance(event, events.MovePlayed) else None
    found = {}
    with_legal = without = None
    for seats in groups:
        place = None
        if shown and match.phase == "play" and match.turn in seats:
            place = with_legal = with_legal or position_of(match, seats)
        elif shown:
            place = without = without or position_of(match, frozenset())
        found[seats] = encode(
            wire.Update(
                number=match.number,
                ply=len(match.moves),
                made=made,
                position=place,
                clock=clocks,
                phase=match.phase,
                offers=match.offers,
                ending=match.ending,
                rematch=match.rematch,
                may=may(match, seats),
            )
        ).decode()
    return found
