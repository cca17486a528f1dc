"""Imports PGN files: each game becomes a finished match of the person who imports it.

A file is read in portions by other processes, so arguments and results are plain data.
"""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from acedrex import Error, pgn
from acedrex.game import Game, games
from acedrex.limits import MAX_IMPORT_GAMES, MAX_STORED_MOVES
from acedrex.server import ids, wire
from acedrex.server.archive import search_index
from acedrex.server.games import catalogue
from acedrex.server.match.events import Created, Event, MovePlayed, Recorded, Seated
from acedrex.server.match.state import SIDES, Match
from acedrex.server.people.names import printed
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_EVENT, NEW_MATCH, Step

#: The maximum number of faults that are reported.
MAX_FAULTS = 100
#: Tags that are kept besides those for players, game and result.
KEPT_TAGS = ("Event", "Site", "Date", "Round")
#: The maximum number of characters kept of a name or a tag.
MAX_TEXT = 80

#: Bytes after which a portion of a file ends with the next game: about half a second's work.
PORTION = 64 * 1024
#: An empty line and an Event tag, which begin a new game whatever precedes them.
BORDER = re.compile(rb'(?<=\n)\r?\n(?=\[Event[ \t]+"[^\r\n]{0,1000}"\][ \t]*\r?\n)')
LINE_END = re.compile(rb"\r\n?|\n")
#: The statements of a record's steps. Other processes send their index here, since the store groups equal statements.
STATEMENTS = (NEW_EVENT, NEW_MATCH, search_index.NEW, search_index.PLAYED)

EPOCH = datetime.date(1970, 1, 1)
DATE = re.compile(r"(\d{4})\.(\d\d|\?\?)\.(\d\d|\?\?)")


#: The steps that store a game: indices into ``STATEMENTS``, and values.
Record = list[tuple[int, Mapping[str, Any]]]


class Batch(Struct):
    """The content of a portion of a file: records, their definitions, and the faults of games that were left out."""

    records: list[Record]
    definitions: dict[str, str]
    left_out: int
    faults: list[wire.RecordFault]
    #: Whether games were left unread because the file has too many.
    full: bool = False

    @property
    def total(self) -> int:
        """The number of games read."""
        return len(self.records) + self.left_out


class _Lines:
    """A file that counts the lines read."""

    def __init__(self, data: bytes, line: int) -> None:
        self._file = io.BytesIO(data)
        self.line = line

    def readline(self, size: int, /) -> bytes:
        text = self._file.readline(size)
        self.line += text.endswith(b"\n")
        return text


def portions(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Split a file between games into portions, and yield each with the number of lines before it."""
    first = line = 0
    while border := BORDER.search(data, first + PORTION):
        part = data[first : border.end()]
        yield part, line
        first, line = border.end(), line + len(LINE_END.findall(part))
    yield data[first:], line


def read(data: bytes, line: int, most: int, person: str, key: str, known_games: Mapping[str, Game], at: int) -> Batch:
    """Read a portion of a file. A game with a fault is left out and reported with its line.

    :param line: the number of lines before the portion.
    :param most: the maximum number of games still allowed in the file.
    :param person: the id of the person who imports it.
    :param key: their secret, from which ids are derived, so that the same game gets the same id.
    :param known_games: games besides the shipped ones.
    :param at: the time for games without a date, in milliseconds of the epoch.
    """
    batch = Batch([], {}, 0, [])
    lines = _Lines(data, line)
    for record, end in _with_ends(pgn.Reader(lines, games=known_games), lines):
        # The others of the file are those that were still allowed and no longer are.
        fault = partial(wire.RecordFault, MAX_IMPORT_GAMES - most + batch.total + 1, _players(record))
        faults = [fault(line + error.line, error.column, error.message) for error in record.errors]
        if batch.total >= most:
            batch.faults.append(
                fault(end, 1, f"a file can have at most {MAX_IMPORT_GAMES} games; the rest was skipped")
            )
            batch.full = True
            break
        if not faults:
            try:
                batch.records.append(_record_of(record, person, key, at))
                batch.definitions.update([catalogue.definition(record.variant)])
            except Error as error:
                faults = [fault(end, 1, str(error))]
        if faults:
            batch.left_out += 1
            batch.faults += faults
    del batch.faults[MAX_FAULTS:]
    return batch


def _players(record: pgn.Game) -> str:
    """Return the players of a game as people name it; an empty text if they are unknown."""
    names = [_name(record.headers[tag]) for tag in ("White", "Black")]
    return "" if {*names} == {"?"} else " \N{EN DASH} ".join(names)


def _with_ends(reader: pgn.Reader, lines: _Lines) -> Iterator[tuple[pgn.Game, int]]:
    """Yield each game with the line where it ends, once the next one is read: text behind a game is a fault of it."""
    last: tuple[pgn.Game, int] | None = None
    for record in reader:
        if last is not None:
            yield last
        last = record, lines.line
    if last is not None:
        yield last


def steps(record: Record) -> list[Step]:
    """Return the steps that store a record."""
    return [(STATEMENTS[index], values) for index, values in record]


def _record_of(record: pgn.Game, person: str, key: str, at: int) -> Record:
    """Return the record of a game.

    :raises Error: if the game cannot be stored.
    """
    moves = [move.uci() for move in record.mainline_moves()]
    if not moves:
        raise Error("the game that ends here has no moves")
    if len(moves) > MAX_STORED_MOVES:
        raise Error(f"the game that ends here has {len(moves)} moves; at most {MAX_STORED_MOVES} can be stored")
    game, start = record.variant, record.start()
    at = _moment(record.headers["Date"], at)
    setup, fen = catalogue.start_of(start)
    created = Created(
        at=at,
        game=game.id,
        file=game.id if game.id in games() else game.file,
        options=game.chosen_options,
        definition=catalogue.definition(game)[0],
        rules_hash=game.rules_hash,
        opponent="import",
        time=wire.NoTime(),
        side="white",
        setup=setup,
        arranging=None,
        hints=False,
        fen=fen,
        tags={tag: printed(record.headers[tag])[:MAX_TEXT] for tag in KEPT_TAGS if "?" not in record.headers[tag][:1]},
    )
    events: list[Event] = [created]
    for side, tag in zip(SIDES, ("White", "Black"), strict=True):
        events.append(Seated(at=at, side=side, person=None, name=_name(record.headers[tag])))
    events += [MovePlayed(at=at, move=move, spent=0) for move in moves]
    headers = [*created.tags.values(), *(record.headers[tag] for tag in ("White", "Black", "Result"))]
    id = ids.derived_id(key, "\n".join([person, game.rules_hash, start.fen(), *headers, *moves]))
    match = Match(id, events, game)
    if match.phase != "over":
        events.append(Recorded(at=at, result=record.headers["Result"]))  # type: ignore[arg-type]
        match.apply(events[-1])
    steps = [*cards.first_steps(match, events, person, archived=True), *search_index.steps(match, person)]
    return [(STATEMENTS.index(statement), values) for statement, values in steps]


def _name(text: str) -> str:
    return printed(text)[:MAX_TEXT] or "?"


def _moment(text: str, otherwise: int) -> int:
    """Parse a PGN date as milliseconds of the epoch; an unknown month or day counts as the first."""
    found = DATE.fullmatch(text)
    if found is None:
        return otherwise
    try:
        year, month, day = (1 if part == "??" else int(part) for part in found.groups())
        return (datetime.date(year, month, day) - EPOCH).days * 86_400_000
    except ValueError:
        return otherwise
