"""The archive: finished matches, openings, and imported PGN files."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from acedrex.server.wire.matches import Ending
from acedrex.server.wire.people import CardGame, Names, Profiles
from acedrex.server.wire.vocabulary import Response
from acedrex.shapes import Side

Whose = Literal["mine", "public"]
#: Those of the lab are not matches of this server: they are only in the opening tree.
WhoseOpenings = Literal["mine", "public", "lab"]


class Archived(Response):
    """A finished match in a list; ``side`` is the requester's."""

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
    profiles: Profiles = field(default_factory=Profiles)


class ArchivePage(Response):
    """A page of finished matches, the latest first; ``next`` requests the following page."""

    matches: list[Archived]
    next: str | None


class Results(Response):
    """Numbers of wins and draws."""

    white: int
    draws: int
    black: int


class Opening(Response):
    """A move that was played in a position, or a setup that was chosen."""

    #: The move, or the setup.
    move: str
    san: str
    results: Results


class Openings(Response):
    """The moves played in an opening position, the most frequent first."""

    results: Results
    moves: list[Opening]
    #: Whether ``moves`` are setups.
    setups: bool
    #: Whether the operator has put games of the lab into the tree.
    lab: bool


class RecordFault(Response):
    """An error in a PGN file, and where: the game, its players if the file names them, and the line, from 1."""

    game: int
    players: str
    line: int
    column: int
    message: str


class Imported(Response):
    """The result of importing a PGN file."""

    stored: int
    #: Already in the archive.
    known: int
    left_out: int
    faults: list[RecordFault]
