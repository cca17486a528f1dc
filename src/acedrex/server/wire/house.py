"""House engines: players that are always there."""

from __future__ import annotations

from typing import Literal

from acedrex.server.wire.people import MatchCard
from acedrex.server.wire.ratings import Rating
from acedrex.server.wire.vocabulary import Response


class Portrait(Response):
    """A piece drawing that stands for a player."""

    game: str
    #: The letter of the piece type.
    piece: str


class Liked(Response):
    """A game that a house engine likes."""

    game: str
    name: str


class HouseEngine(Response):
    """A house engine: a player that accepts every challenge at once."""

    id: str
    name: str
    level: int
    character: str
    #: How it plays, and what it likes.
    style: str
    portrait: Portrait
    #: The favourite game first.
    games: list[Liked]
    time: Literal["none", "live", "correspondence"]
    #: Over all games.
    rating: Rating


class Tally(Response):
    """The finished games of a player."""

    wins: int
    draws: int
    losses: int


class HousePage(Response):
    """A house engine with its record and its latest public games."""

    engine: HouseEngine
    record: Tally
    recent: list[MatchCard]
