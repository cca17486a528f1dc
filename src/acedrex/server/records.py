"""Writes matches as PGN from their stored events: the arguments are plain data, so that another process can do it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from acedrex import pgn
from acedrex.server import catalogue
from acedrex.server.events import Created, decode_events
from acedrex.server.state import SIDES, Match

#: Imported games may be older than the epoch, from which systems count time.
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def match_pgn(id: str, rows: Sequence[tuple[int, str]], definition: str) -> str:
    """Write a match as PGN.

    :param rows: the numbers and texts of its events, from the first.
    :param definition: the text of its game.
    :raises BrokenError: if an event is missing or cannot be read.
    :raises Error: if its game cannot be read.
    """
    events = decode_events(rows)
    created = events[0]
    assert isinstance(created, Created)
    game = catalogue.restore(definition, created.file, created.options, created.rules_hash)
    match = Match.fold(id, events, game)
    record = pgn.Game.from_board(match.board)
    record.headers["Date"] = (EPOCH + datetime.timedelta(milliseconds=created.at)).strftime("%Y.%m.%d")
    record.headers.update(created.tags)
    for side, tag in zip(SIDES, ("White", "Black"), strict=True):
        seat = match.seats.get(side)
        if seat is not None:
            record.headers[tag] = seat.name
    if match.ending is not None:
        record.headers["Result"] = match.ending.result
        if match.ending.score != match.ending.result:
            record.headers["Score"] = match.ending.score
    return str(record)
