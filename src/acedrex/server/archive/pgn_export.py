"""Writes matches as PGN from their stored events: the arguments are plain data, so that another process can do it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from acedrex import _native, pgn
from acedrex.server.games import catalogue
from acedrex.server.match.events import Created, decode_events
from acedrex.server.match.state import SIDES, Match

#: Imported games may be older than the epoch, from which systems count time.
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


#: The event of a rated match.
RATED = "Rated match"


def match_pgn(
    id: str,
    rows: Sequence[tuple[int, str]],
    definition: str,
    ratings: tuple[int | None, int | None] = (None, None),
    tags: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write a match as PGN.

    :param rows: the numbers and texts of its events, from the first.
    :param definition: the text of its game.
    :param ratings: of a rated match those of White and Black before it.
    :param tags: further tags, of a match of a tournament.
    :raises BrokenError: if an event is missing or cannot be read.
    :raises Error: if its game cannot be read.
    """
    events = decode_events(rows)
    created = events[0]
    assert isinstance(created, Created)
    game = catalogue.restore(definition, created.file, created.options, created.rules_hash)
    match = Match(id, events, game)
    record = pgn.Game.from_board(match.board)
    record.headers["Date"] = (EPOCH + datetime.timedelta(milliseconds=created.at)).strftime("%Y.%m.%d")
    record.headers.update(created.tags)
    if created.rated:
        record.headers["Event"] = RATED
    record.headers.update(tags)
    for side, tag, rating in zip(SIDES, ("White", "Black"), ratings, strict=True):
        seat = match.seats.get(side)
        if seat is not None:
            record.headers[tag] = seat.name
        if rating is not None:
            record.headers[f"{tag}Elo"] = str(rating)
    if created.opponent != "import":
        record.headers["TimeControl"] = match.core.time_tag
        reason = "unfinished" if match.ending is None else match.ending.reason
        record.headers["Termination"] = _native.pgn_termination(reason)
    ply, clocks = 0, match.core.shown
    for node in record.mainline():
        ply += len(node.moves)
        shown = clocks[ply - 1]
        if shown is not None and not node.unfinished:
            node.set_clock(shown / 1000)
    if match.ending is not None:
        record.headers["Result"] = match.ending.result
        if match.ending.score != match.ending.result:
            record.headers["Score"] = match.ending.score
    return str(record)
