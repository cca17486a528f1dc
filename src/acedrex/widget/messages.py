"""Messages between Python and the page, from which ``tools/make_types.py`` generates the types of the page.

Messages from the page are not trusted: anything that does not match a type exactly is rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, Union, get_args, get_type_hints

from acedrex.shapes import PieceSet, PieceType, Position, Reach, SetupPhase, Side
from acedrex.widget.arrows import Drawn

__all__ = ["Message", "read"]


Seat = Literal["white", "black", "both"]


class Game(TypedDict):
    """What stays the same while a game is played."""

    files: int
    ranks: int
    piece_types: list[PieceType]
    setup: SetupPhase | None


class LastSetup(TypedDict):
    """The name of the setup that was chosen last, if any."""

    last: str | None


class Shown(TypedDict):
    """What is shown besides the position."""

    #: The side whose moves are made by hand now.
    seat: Seat | None
    orientation: Side
    #: Only in the setup phase.
    setup: LastSetup | None
    arrows: list[Drawn]
    #: A line below the choice of a promotion.
    note: str | None
    status: str
    #: Whether there is a move to take back.
    back: bool
    #: The greatest width, in pixels.
    size: int
    pieces: PieceSet


class Line(TypedDict):
    """A line of an engine: its score from White's point of view, its moves in SAN, its first turn as arrows."""

    score: str
    san: str
    arrows: list[Drawn]


class Lines(TypedDict):
    """The lines of an engine, the best first."""

    summary: str
    #: White's winning chances according to the best line, from 0 to 1.
    chance: float | None
    #: The greatest number of lines.
    most: int
    lines: list[Line]


class State(TypedDict):
    """The widget's state, which the page shows."""

    _game: Game
    _position: Position
    _shown: Shown
    _lines: Lines | None


class Played(TypedDict):
    """A move was made on the board, after ``at`` half-moves."""

    type: Literal["move"]
    text: str
    at: int


class TakenBack(TypedDict):
    """The last move of an unfinished turn is to be undone, or the player's last turn to be taken back."""

    type: Literal["undo", "back"]
    at: int


class Flipped(TypedDict):
    """The board is to be flipped."""

    type: Literal["flip"]


class SetupChosen(TypedDict):
    """The setup to be played."""

    type: Literal["setup"]
    text: str


class Asked(TypedDict):
    """A question, which is answered under its id.

    ``reach`` and ``idle`` are about the piece on a square: where does it go, and why has it no legal move? The text of
    ``alone`` is a piece and its square: where could it go on an empty board? That of ``arranged`` is an arrangement.
    That of ``typed`` was typed: which legal move does it mean?
    """

    type: Literal["reach", "idle", "alone", "arranged", "typed"]
    text: str
    id: str


class ShuffleAsked(TypedDict):
    """A question for a random setup."""

    type: Literal["shuffle"]
    id: str


class Refused(TypedDict):
    """Why a message of the page was refused."""

    type: Literal["refused"]
    text: str


class ReachAnswer(TypedDict):
    """Where a piece goes."""

    type: Literal["answer"]
    id: str
    reach: list[Reach]


class IdleAnswer(TypedDict):
    """Why a piece has no legal move; ``None`` if it has one."""

    type: Literal["answer"]
    id: str
    reason: str | None


class MoveAnswer(TypedDict):
    """The legal move that a text means, in coordinates, or why it means none."""

    type: Literal["answer"]
    id: str
    move: str | None
    why: str | None


class SetupAnswer(TypedDict):
    """A setup's number, or the problem of an arrangement."""

    type: Literal["answer"]
    id: str
    name: str
    number: int | None
    problem: str | None


Question = Union[Asked, ShuffleAsked]  # noqa: UP007 - tools/make_types.py reads it
FromPage = Union[Played, TakenBack, Flipped, SetupChosen, Asked, ShuffleAsked]  # noqa: UP007
Answer = Union[ReachAnswer, IdleAnswer, MoveAnswer, SetupAnswer]  # noqa: UP007
FromPython = Union[Refused, ReachAnswer, IdleAnswer, MoveAnswer, SetupAnswer]  # noqa: UP007

#: The longest text and the largest number, above those of any move, square or setup.
MOST_TEXT, MOST_NUMBER = 100, 2**31

#: The fields of each type of message from the page, besides its type.
FIELDS: dict[str, dict[str, type]] = {
    kind: {name: type_ for name, type_ in hints.items() if name != "type"}
    for hints in map(get_type_hints, get_args(FromPage))
    for kind in get_args(hints["type"])
}


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its kind and the fields of that kind."""

    kind: str
    text: str = ""
    at: int = 0
    id: str = ""


def read(content: object) -> Message | None:
    """Read a message from the page; ``None`` if it is invalid.

    >>> read({"type": "move", "text": "e2e4", "at": 0})
    Message(kind='move', text='e2e4', at=0, id='')
    >>> read({"type": "move", "text": ["e2e4"], "at": 0}) is None
    True
    """
    if not isinstance(content, dict) or not isinstance(kind := content.get("type"), str) or kind not in FIELDS:
        return None
    fields = FIELDS[kind]
    if content.keys() != {"type", *fields}:
        return None
    if not all(_is(content[name], wanted) for name, wanted in fields.items()):
        return None
    return Message(kind, **{name: content[name] for name in fields})


def _is(value: object, wanted: type) -> bool:
    if wanted is int:
        return type(value) is int and 0 <= value <= MOST_NUMBER
    return isinstance(value, str) and len(value) <= MOST_TEXT
