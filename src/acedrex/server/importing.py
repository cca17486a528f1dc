"""Records of PGN files become finished matches of whoever brings them."""

from __future__ import annotations

import datetime
import io
import re

from msgspec import Struct

from acedrex import Error, pgn
from acedrex.game import Game, games
from acedrex.server import archive, cards, catalogue, secret, wire
from acedrex.server.catalogue import Catalogue
from acedrex.server.decide import Refusal
from acedrex.server.events import Created, Event, PlyPlayed, Recorded, Seated
from acedrex.server.state import SIDES, Match
from acedrex.server.store import Step

#: Most bytes of a file, records in it, plies of a record, and faults that are told.
MOST_BYTES, MOST_RECORDS, MOST_PLIES, MOST_FAULTS = 2 * 1024 * 1024, 1_000, 2_000, 100
#: Tags that are kept besides those that say who played what.
KEPT = ("Event", "Site", "Date", "Round")
#: Most characters of a name and of a tag that are kept.
MOST_TEXT = 80

EPOCH = datetime.date(1970, 1, 1)
DATE = re.compile(r"(\d{4})\.(\d\d|\?\?)\.(\d\d|\?\?)")


class Record(Struct, frozen=True):
    """A record that can be stored."""

    match: str
    game: Game
    steps: list[Step]


class File(Struct):
    """What a file holds: records, and what is wrong with others."""

    records: list[Record]
    left_out: int
    faults: list[wire.RecordFault]


class _Lines:
    """A file that knows how far it has been read."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)
        self.line = 0

    def readline(self, size: int, /) -> bytes:
        text = self._file.readline(size)
        self.line += text.endswith(b"\n")
        return text


def read(data: bytes, person: str, key: str, known: Catalogue, at: int) -> File:
    """Read a file. A record in which something is wrong is left out, and told with its line.

    :param person: the id of whoever brings it.
    :param key: their secret, from which ids are derived: the same record gets the same id.
    """
    found = File([], 0, [])

    def game_of(id: str) -> Game | None:
        try:
            return known.game(id)
        except Refusal:
            return None

    lines = _Lines(data)
    for record in pgn.Reader(lines, games=game_of):
        faults = [wire.RecordFault(error.line, error.column, error.message) for error in record.errors]
        if len(found.records) + found.left_out >= MOST_RECORDS:
            faults = [
                wire.RecordFault(lines.line, 1, f"a file has at most {MOST_RECORDS} records; the rest is left out")
            ]
            found.faults += faults
            break
        if not faults:
            try:
                found.records.append(_stored(record, person, key, at))
            except Error as error:
                faults = [wire.RecordFault(lines.line, 1, str(error))]
        if faults:
            found.left_out += 1
            found.faults += faults
    del found.faults[MOST_FAULTS:]
    return found


def _stored(record: pgn.Game, person: str, key: str, at: int) -> Record:
    """Say what is written of a record.

    :raises Error: if it is none that can be kept.
    """
    plies = [move.uci() for move in record.mainline_moves()]
    if not plies:
        raise Error("the record that ends here has no plies")
    if len(plies) > MOST_PLIES:
        raise Error(f"the record that ends here has {len(plies)} plies; at most {MOST_PLIES} are kept")
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
    events += [PlyPlayed(at=at, ply=ply, spent=0) for ply in plies]
    who = [*created.tags.values(), *(record.headers[tag] for tag in ("White", "Black", "Result"))]
    id = secret.derived_id(key, "\n".join([person, game.rules_hash, start.fen(), *who, *plies]))
    match = Match.fold(id, events, game)
    if match.phase != "over":
        events.append(Recorded(at=at, result=record.headers["Result"]))  # type: ignore[arg-type]
        match.apply(events[-1])
    steps = cards.first_steps(match, events, person, archived=True)
    return Record(id, game, [*steps, *archive.steps(match, person)])


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
