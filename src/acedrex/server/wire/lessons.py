"""Lessons: diagrams and examples of a game's page, puzzles, and attempts at them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import MoveText, Request, Response
from acedrex.shapes import Position, Side


class PieceDiagram(Response):
    """A diagram that shows how a piece moves."""

    letter: str
    #: The square of the piece.
    square: str
    #: The squares of enemy pieces that it captures or hops over.
    others: list[str]


class Example(Response):
    """A position that shows a rule or, if ``piece`` is given, how a piece moves."""

    #: The key of the rule, or empty.
    rule: str
    #: The letter of the piece, or empty.
    piece: str
    options: dict[str, str]
    fen: str
    #: The moves that show it.
    moves: list[str]
    #: Empty for a generated position.
    text: str


class Puzzle(Response):
    """A puzzle: mate in ``moves`` or, within this turn, mate or capture ``takes`` royal pieces."""

    fen: str
    side: Side
    goal: Literal["mate", "turn_mate", "capture"]
    moves: int
    takes: int
    #: The letter of a piece, the key of a rule, or empty.
    teaches: str


class Lessons(Response):
    """The diagrams and examples of a game's page."""

    diagrams: list[PieceDiagram]
    examples: list[Example]


class Daily(Response):
    """A daily puzzle. ``solved`` has the days whose puzzles the requester solved on the day, the latest first."""

    date: str
    today: str
    first: str
    game: str
    puzzle: Puzzle
    solved: list[str]


class Attempt(Request):
    """An attempt: the moves so far, replies included. ``show`` asks for the solution."""

    moves: Annotated[list[MoveText], Meta(max_length=32)] = field(default_factory=list)
    show: bool = False


class AttemptResult(Response):
    """The result of an attempt: the moves accepted, with the reply to them, and the position after them."""

    verdict: Literal["right", "solved", "wrong", "shown"]
    moves: list[str]
    position: Position
