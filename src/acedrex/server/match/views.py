"""Snapshots and updates: a match as the players of some sides see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from acedrex.server import wire
from acedrex.server.match import events
from acedrex.server.match.decide import may
from acedrex.server.match.positions import position
from acedrex.server.match.state import Match
from acedrex.server.wire import Side

encode: Callable[[wire.FromServer], bytes] = msgspec.json.Encoder().encode

Seats = frozenset[Side]

#: Events after which all listeners get a snapshot, since players, setup or start have changed.
BEGINNINGS = (events.Seated, events.SidesSwapped, events.SetupChosen)
#: Events that change the position.
MOVING = (events.MovePlayed, events.Undone)


def position_of(match: Match, seats: Seats) -> wire.Position:
    """Return the position, with legal moves if one of the sides may move."""
    return position(match.board, None, legal=match.phase == "play" and match.turn in seats)


def series_of(match: Match) -> wire.Series | None:
    """Return the score of a series, which is worth showing from the first rematch on."""
    return None if match.created.series is None else match.series


def may_read(match: Match, seats: Seats, by: wire.Speaker) -> bool:
    """Return whether a person reads the chat of a speaker: until the match is over, players and spectators do not."""
    return match.phase == "over" or (by == "watcher") == (not seats)


def snapshot(
    match: Match,
    seats: Seats,
    now: int,
    *,
    online: Seats,
    watchers: int,
    chat: list[wire.ChatLine],
    ratings: wire.MatchRatings | None,
) -> wire.Snapshot:
    """Return the whole state of a match."""
    created = match.created
    return wire.Snapshot(
        match=match.id,
        number=match.number,
        game=wire.MatchGame(
            match.game.id,
            created.options,
            match.game.name,
            created.rules_hash,
            match.game.is_outdated,
            match.game.draw_limits,
        ),
        phase=match.phase,
        opponent=created.opponent,
        seat="both" if len(seats) == 2 else next(iter(seats), None),
        players=wire.Players(_player(match, "white", online), _player(match, "black", online)),
        time=created.time,
        clock=match.clock_at(now),
        setup=match.setup,
        start_fen=match.board.root_fen,
        from_position=created.fen is not None,
        moves=match.moves,
        position=position_of(match, seats),
        offers=match.offers,
        ending=match.ending,
        rematch=match.rematch,
        series=series_of(match),
        chat=[line for line in chat if may_read(match, seats, line.by)],
        hints=created.hints,
        rated=created.rated,
        tournament=created.tournament,
        side=created.side,
        ratings=ratings,
        watchers=watchers,
        may=may(match, seats),
    )


def _player(match: Match, side: Side, online: Seats) -> wire.Player:
    seat = match.seats.get(side)
    if seat is None:
        return wire.Player("", "nobody", None, False)
    engine = seat.level is not None
    kind: Literal["engine", "guest"] = "engine" if engine else "guest"
    return wire.Player(seat.name, kind, seat.level, engine or side in online, house=seat.person if engine else None)


def updates(match: Match, event: events.Event, groups: Iterable[Seats], now: int) -> dict[Seats, str]:
    """Return what the last event of a match has changed, encoded once for each group that plays the same sides."""
    is_takeback = isinstance(event, events.Answered) and event.what == "takeback" and event.accept
    has_moved = isinstance(event, MOVING) or is_takeback
    clocks = match.clock_at(now)
    made = match.moves[-1] if isinstance(event, events.MovePlayed) else None
    found = {}
    with_legal = without = None
    for seats in groups:
        shown = None
        if has_moved and match.phase == "play" and match.turn in seats:
            shown = with_legal = with_legal or position_of(match, seats)
        elif has_moved:
            shown = without = without or position_of(match, frozenset())
        found[seats] = encode(
            wire.Update(
                number=match.number,
                ply=len(match.moves),
                made=made,
                position=shown,
                clock=clocks,
                phase=match.phase,
                offers=match.offers,
                ending=match.ending,
                rematch=match.rematch,
                series=series_of(match),
                may=may(match, seats),
            )
        ).decode()
    return found
