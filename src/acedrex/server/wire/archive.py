"""The archive: finished matches, what was played first in them, and files of records."""

from __future__ import annotations

from typing import Literal

from acedrex.server.wire.matches import Ending
from acedrex.server.wire.people import CardGame, Names
from acedrex.server.wire.vocabulary import Response
from acedrex.shapes import Side

Whose = Literal["mine", "public"]


class Archived(Response):
    """A finished match in a list; ``side`` is the asker's."""

    match: str
    game: CardGame
    players: Names
    side: Side | None
    setup: str | None
    moves: int
    fen: str
    ending: Ending
    imported: bool
    at: int


class ArchivePage(Response):
    """Some finished matches, the latest first; ``next`` asks for those that follow."""

    matches: list[Archived]
    next: str | None


class Results(Response):
    """How matches ended."""

    white: int
    draws: int
    black: int


class Opening(Response):
    """What was played in a position: a move, or the setup that was chosen."""

    #: Or a setup.
    move: str
    san: str
    results: Results


class Openings(Response):
    """All that was played in a position of the first moves, the most frequent first."""

    results: Results
    moves: list[Opening]
    #: Whether ``moves`` are setups.
    setups: bool


class RecordFault(Response):
    """What is wrong in a file of records, and where; lines count from 1."""

    line: int
    column: int
    message: str


class Imported(Response):
    """What became of a file of records."""

    stored: int
    #: Stored before.
    known: int
    left_out: int
    faults: list[RecordFault]
