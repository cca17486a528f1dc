"""The stored events of a match, in order, from which its state is folded.

The database has their field names in it: fields may be added, but none may change its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar, Union

import msgspec
from msgspec import Struct, field

from acedrex.server.wire import Series, Side, SideChoice, TimeControl, What

T = TypeVar("T")
#: Who chooses the setup.
Arranging = Literal["player", "engine"]


class Stored(Struct, gc=False, kw_only=True, tag_field="type"):
    """An event, and its time in milliseconds of the epoch."""

    at: int


class Created(Stored, tag="created"):
    """The match was created. ``definition`` is the hash of the definition's text, which is stored separately."""

    game: str
    file: str
    options: dict[str, str]
    definition: str
    rules_hash: str
    opponent: Literal["engine", "friend", "lobby", "self", "import"]
    time: TimeControl
    #: The side of the creator; with ``opponent`` the opponent chooses, and the creator has one until then.
    side: SideChoice
    setup: str | None
    arranging: Arranging | None
    hints: bool
    #: The starting position, if it is neither the standard one nor a setup.
    fen: str | None = None
    #: The tags of an imported game.
    tags: dict[str, str] = {}
    #: The score of the earlier matches of which this one is the rematch; the sides are those of this match.
    series: Series | None = None
    rated: bool = False
    #: The id of the tournament to which it belongs.
    tournament: str | None = None


class Seated(Stored, tag="seat"):
    """A person, or an engine at a level, took a seat; a house engine is both."""

    side: Side
    person: str | None
    name: str
    level: int | None = None


class SidesSwapped(Stored, tag="swap"):
    """The opponent chose the side of the creator, who changes over."""


class SetupChosen(Stored, tag="setup"):
    """Black, the engine or a random draw chose the setup."""

    name: str
    by: Literal["white", "black"] | None


class MovePlayed(Stored, tag="ply"):
    """A move, and how long it took on the clock."""

    # Stored events keep the names that they were first stored with.
    move: str = field(name="ply")
    spent: int


class Undone(Stored, tag="undo"):
    """The last move of an unfinished turn was taken back."""


class Offered(Stored, tag="offer"):
    """A side made an offer."""

    what: What
    by: Side
    moves: int | None = field(name="plies", default=None)


class Answered(Stored, tag="answer"):
    """The other side answered an offer; ``rematch`` is the id of the new match."""

    what: What
    by: Side
    accept: bool
    rematch: str | None = None
    #: The time that a takeback leaves each side; older takebacks left the clocks as they were.
    left: dict[Side, int] | None = None


class Claimed(Stored, tag="claim"):
    """A side claimed a draw by the rules, or a win because the opponent left."""

    what: Literal["draw", "left"]
    by: Side


class Resigned(Stored, tag="resign"):
    """A side resigned."""

    by: Side


class Aborted(Stored, tag="abort"):
    """The match was aborted, or its challenge declined."""

    by: Side


class Flagged(Stored, tag="flag"):
    """A side's time ran out."""

    side: Side


class Recorded(Stored, tag="recorded"):
    """An imported game ended, with the result in its tags."""

    result: Literal["1-0", "0-1", "1/2-1/2", "*"]


class Paused(Stored, tag="pause"):
    """The server was down: the clock continues as if it had been started at ``since``."""

    since: int


class DaysOff(Stored, tag="off"):
    """A side has days off, in which its clock does not run. They replace those that it had."""

    side: Side
    since: int
    until: int


Event = Union[  # noqa: UP007 - msgspec reads it at run time
    Created,
    Seated,
    SidesSwapped,
    SetupChosen,
    MovePlayed,
    Undone,
    Offered,
    Answered,
    Claimed,
    Resigned,
    Aborted,
    Flagged,
    Paused,
    DaysOff,
    Recorded,
]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Event).decode


class BrokenError(Exception):
    """Stored events are incomplete or damaged."""


def decode_events(rows: Sequence[tuple[int, str]], after: int = 0) -> list[Event]:
    """Decode the stored events of a match after a number.

    :raises BrokenError: if one is missing, or cannot be read.
    """
    return decode_numbered(decode, rows, after)


def decode_numbered(decode: Callable[[str], T], rows: Sequence[tuple[int, str]], after: int = 0) -> list[T]:
    """Decode stored events after a number, with what decodes one.

    :raises BrokenError: if one is missing, or cannot be read.
    """
    for expected, (number, _) in enumerate(rows, start=after + 1):
        if number != expected:
            raise BrokenError(f"event {expected} is missing: the next is {number}")
    try:
        return [decode(body) for _, body in rows]
    except msgspec.MsgspecError as error:
        raise BrokenError(f"an event cannot be read: {error}") from None
