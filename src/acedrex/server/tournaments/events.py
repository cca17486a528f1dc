"""The stored events of a tournament, in order, from which its state is folded.

Players are numbers, boards are the places of pairs in the order in which they were paired; who a player is stands in
another table, so that nothing here is about a person. The database has the field names in it: fields may be added, but
none may change its meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

import msgspec
from msgspec import Struct

from acedrex.server.match.events import decode_numbered
from acedrex.server.wire import TournamentSettings


class Stored(Struct, gc=False, kw_only=True, tag_field="type"):
    """An event, and its time in milliseconds of the epoch."""

    at: int


class Created(Stored, tag="created"):
    """The tournament was made; ``definition`` is the hash of the game's text, as in a match."""

    settings: TournamentSettings
    file: str
    definition: str
    rules_hash: str
    #: The name of the game.
    game: str


class Entered(Stored, tag="entered"):
    """Somebody entered, or a house engine; the host of a simul is its first player."""

    player: int
    rating: int
    provisional: bool
    engine: str | None = None


class Withdrew(Stored, tag="withdrew"):
    """A player plays no further games; ``removed`` if that is final."""

    player: int
    removed: bool = False


class Returned(Stored, tag="returned"):
    """A player who had withdrawn plays again."""

    player: int


class ByeWanted(Stored, tag="bye"):
    """A player will sit out a round for half a point."""

    player: int
    round: int


class Moved(Stored, tag="moved"):
    """The organiser chose another time for the start."""

    starts_at: int


class Started(Stored, tag="started"):
    """The tournament started; ``order`` are the pairing numbers where they are not those of the ratings."""

    order: list[int]


class Paired(Stored, tag="paired"):
    """A round, or in an arena some players, were paired: the first of a pair has White in their first game.

    ``bye`` is the player for whom there was no opponent, and ``sits_out`` are those who wanted to sit out the round.
    """

    round: int
    pairs: list[tuple[int, int]]
    bye: int | None = None
    sits_out: list[int] = []


class GameBegan(Stored, tag="game"):
    """A game of a pair began."""

    board: int
    match: str
    white: int


class GameEnded(Stored, tag="result"):
    """A game of a pair ended: White's share of the points, and whether both sides had made a move."""

    board: int
    match: str
    points: float
    played: bool


class Decided(Stored, tag="decided"):
    """A pair was decided without a game: who gets the point, or nobody."""

    board: int
    winner: int | None


class TimesProposed(Stored, tag="times"):
    """A player of a pair can play at some times."""

    board: int
    player: int
    times: list[int]


class TimeAgreed(Stored, tag="agreed"):
    """The players of a pair agreed on a time."""

    board: int
    time: int


class Arrived(Stored, tag="arrived"):
    """A player of a pair is there for the appointment."""

    board: int
    player: int


class Finished(Stored, tag="finished"):
    """The tournament is over."""


class Cancelled(Stored, tag="cancelled"):
    """The tournament does not take place."""


Event = Union[  # noqa: UP007 - msgspec reads it at run time
    Created,
    Entered,
    Withdrew,
    Returned,
    ByeWanted,
    Moved,
    Started,
    Paired,
    GameBegan,
    GameEnded,
    Decided,
    TimesProposed,
    TimeAgreed,
    Arrived,
    Finished,
    Cancelled,
]

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode


def decode_events(rows: Sequence[tuple[int, str]], after: int = 0) -> list[Event]:
    """Decode the stored events of a tournament after a number.

    :raises BrokenError: if one is missing, or cannot be read.
    """
    return decode_numbered(_decode, rows, after)
