"""What is stored of a match: its events, in order. A match is what they add up to.

Field names are short texts in the database: they may get company, but never another meaning.
"""

from __future__ import annotations

from typing import Literal, Union

import msgspec
from msgspec import Struct, field

from acedrex.server.wire import Side, TimeControl, What

#: Who arranges the pieces.
Arranging = Literal["player", "engine"]


class Stored(Struct, gc=False, kw_only=True, tag_field="type"):
    """Something that happened, and when, in milliseconds of the epoch."""

    at: int


class Created(Stored, tag="created"):
    """The match was made. ``definition`` is the hash of the definition's text, which is stored by itself."""

    game: str
    file: str
    options: dict[str, str]
    definition: str
    rules_hash: str
    opponent: Literal["engine", "friend", "lobby", "self", "import"]
    time: TimeControl
    side: Literal["white", "black", "random"]
    setup: str | None
    arranging: Arranging | None
    hints: bool
    #: Where an imported record starts, if not at the game's start, and its tags.
    fen: str | None = None
    tags: dict[str, str] = {}


class Seated(Stored, tag="seat"):
    """Somebody took a seat: a guest, or the engine at a level."""

    side: Side
    person: str | None
    name: str
    level: int | None = None


class SetupChosen(Stored, tag="setup"):
    """Black, the engine or chance arranged the pieces."""

    name: str
    by: Literal["white", "black"] | None


class MovePlayed(Stored, tag="ply"):
    """A move, and how long it took on the clock."""

    # What is stored keeps the names that it was first stored with.
    move: str = field(name="ply")
    spent: int


class Undone(Stored, tag="undo"):
    """The last move of an unfinished turn was taken back."""


class Offered(Stored, tag="offer"):
    """A side offered something."""

    what: What
    by: Side
    moves: int | None = field(name="plies", default=None)


class Answered(Stored, tag="answer"):
    """The other side answered; ``rematch`` is the match that came of it."""

    what: What
    by: Side
    accept: bool
    rematch: str | None = None


class Claimed(Stored, tag="claim"):
    """A side claimed a draw that the rules give, or the match."""

    what: Literal["draw", "left"]
    by: Side


class Resigned(Stored, tag="resign"):
    """A side gave up."""

    by: Side


class Aborted(Stored, tag="abort"):
    """The match was given up before it began in earnest."""

    by: Side


class Flagged(Stored, tag="flag"):
    """A side's time was over."""

    side: Side


class Recorded(Stored, tag="recorded"):
    """An imported record ends here, with the result that it names."""

    result: Literal["1-0", "0-1", "1/2-1/2", "*"]


class Paused(Stored, tag="pause"):
    """The server was away: the clock runs on as if it had been started at ``since``."""

    since: int


Event = Union[  # noqa: UP007 - msgspec reads it at run time
    Created,
    Seated,
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
    Recorded,
]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Event).decode
