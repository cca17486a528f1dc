"""Records of PGN files become finished matches of whoever brings them.

A file is read in portions by other processes, so what they are given and give back is plain.
"""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from acedrex import Error, pgn
from acedrex.game import Game, games
from acedrex.server import archive, cards, catalogue, secret, wire
from acedrex.server.events import Created, Event, MovePlayed, Recorded, Seated
from acedrex.server.state import SIDES, Match
from acedrex.server.store import NEW_EVENT, NEW_MATCH, Step

#: Most bytes of a file, records in it, moves of a record, and faults that are told.
MOST_BYTES, MOST_RECORDS, MOST_MOVES, MOST_FAULTS = 2 * 1024 * 1024, 1_000, 2_000, 100
#: Tags that are kept besides those that say who played what.
KEPT = ("Event", "Site", "Date", "Round")
#: Most characters of a name and of a tag that are kept.
MOST_TEXT = 80

#: Bytes after which a portion of a file ends with the next record: about half a second's work.
PORTION = 64 * 1024
#: An empty line, and a first tag that begins a record whatever stands before it.
BORDER = re.compile(rb'(?<=\n)\r?\n(?=\[Event[ \t]+"[^\r\n]{0,1000}"\][ \t]*\r?\n)')
LINE_END = re.compile(rb"\r\n?|\n")
#: The statements of a record's steps: what is done in groups knows them by themselves, other processes by their place.
STATEMENTS = (NEW_EVENT, NEW_MATCH, archive.NEW, archive.PLAYED)

EPOCH = datetime.date(1970, 1, 1)
DATE = re.compile(r"(\d{4})\.(\d\d|\?\?)\.(\d\d|\?\?)")


#: What is written of a record: the places of statements, and what they are filled with.
Record = list[tuple[int, Mapping[str, Any]]]


class Batch(Struct):
    """What a portion of a file holds: records, the definitions that they name, and what is wrong with others."""

    records: list[Record]
    definitions: dict[str, str]
    left_out: int
    faults: list[wire.RecordFault]
    #: Whether records were left unread because the file has too many.
    full: bool = False

    @property
    def total(self) -> int:
        """How many records it has."""
        return len(self.records) + self.left_out


class _Lines:
    """A file that knows how far it has been read."""

    def __init__(self, data: bytes, line: int) -> None:
        self._file = io.BytesIO(data)
        self.line = line

    def readline(self, size: int, /) -> bytes:
        text = self._file.readline(size)
        self.line += text.endswith(b"\n")
        return text


def portions(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Cut a file between records, each part with the number of lines before it."""
    first = line = 0
    while border := BORDER.search(data, first + PORTION):
        part = data[first : border.end()]
        yield part, line
        first, line = border.end(), line + len(LINE_END.findall(part))
    yield data[first:], line


def read(data: bytes, line: int, most: int, person: str, key: str, known: Mapping[str, Game], at: int) -> Batch:
    """Read a portion of a file. A record in which something is wrong is left out, and told with its line.

    :param line: how many lines stand before it in the file.
    :param most: how many records there may still be in the file.
    :param person: the id of whoever brings it.
    :param key: their secret, from which ids are derived: the same record gets the same id.
    :param known: games besides those that ship.
    """
    found = Batch([], {}, 0, [])
    lines = _Lines(data, line)
    for record in pgn.Reader(lines, games=known):
        faults = [wire.RecordFault(line + error.line, error.column, error.message) for error in record.errors]
        if found.total >= most:
            faults = [
                wire.RecordFault(lines.line, 1, f"a file can have at most {MOST_RECORDS} games; the rest was skipped")
            ]
            found.faults += faults
            found.full = True
            break
        if not faults:
            try:
                found.records.append(_stored(record, person, key, at))
                found.definitions.setdefault(catalogue.key(record.variant), record.variant.source)
            except Error as error:
                faults = [wire.RecordFault(lines.line, 1, str(error))]
        if faults:
            found.left_out += 1
            found.faults += faults
    del found.faults[MOST_FAULTS:]
    return found


def steps(record: Record) -> list[Step]:
    """Give what is written of a record."""
    return [(STATEMENTS[place], values) for place, values in record]


def _stored(record: pgn.Game, person: str, key: str, at: int) -> Record:
    """Say what is written of a record.

    :raises Error: if it is none that can be kept.
    """
    moves = [move.uci() for move in record.mainline_moves()]
    if not moves:
        raise Error("the game that ends here has no moves")
    if len(moves) > MOST_MOVES:
        raise Error(f"the game that ends here has {len(moves)} moves; at most {MOST_MOVES} can be stored")
    game, start = record.variant, record.start()
    at = _moment(record.headers["Date"], at)
    setup = start.setup_name() if len(game.setups) else None
    if setup is not None and game.setup_fen(setup) != start.fen():
        setup = None
    created = Created(
        at=at,
        game=game.id,
        file=game.id if game.id in games() else game.file,
        options=game.chosen_options,
        definition=catalogue.key(game),
        rules_hash=game.rules_hash,
        opponent="import",
        time=wire.NoTime(),
        side="white",
        setup=setup,
        arranging=None,
        hints=False,
        fen=None if setup is not None or start.fen() == game.start_fen else start.fen(),
        tags={tag: record.headers[tag][:MOST_TEXT] for tag in KEPT if "?" not in record.headers[tag][:1]},
    )
    events: list[Event] = [created]
    for side, tag in zip(SIDES, ("White", "Black"), strict=True):
        events.append(Seated(at=at, side=side, person=None, name=_name(record.headers[tag])))
    events += [MovePlayed(at=at, move=move, spent=0) for move in moves]
    who = [*created.tags.values(), *(record.headers[tag] for tag in ("White", "Black", "Result"))]
    id = secret.derived_id(key, "\n".join([person, game.rules_hash, start.fen(), *who, *moves]))
    match = Match.fold(id, events, game)
    if match.phase != "over":
        events.append(Recorded(at=at, result=record.headers["Result"]))  # type: ignore[arg-type]
        match.apply(events[-1])
    written = [*cards.first_steps(match, events, person, archived=True), *archive.steps(match, person)]
    return [(STATEMENTS.index(statement), values) for statement, values in written]


def _name(text: str) -> str:
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())[:MOST_TEXT] or "?"


def _moment(text: str, otherwise: int) -> int:
    """Read a date as PGN has it; what is unknown of it counts as the first."""
    found = DATE.fullmatch(text)
    if found is None:
        return otherwise
    try:
        year, month, day = (1 if part == "??" else int(part) for part in found.groups())
        return (datetime.date(year, month, day) - EPOCH).days * 86_400_000
    except ValueError:
        return otherwise
