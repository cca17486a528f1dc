"""Lessons: what a game's page shows besides its definition, and puzzles with their tries."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import MoveText, Request, Response
from acedrex.shapes import Position, Side


class PieceDiagram(Response):
    """Where a piece stands to show how it moves, and where others that it takes or hops over."""

    letter: str
    #: Where it stands to show how it moves.
    square: str
    #: Where enemies stand that it takes or hops over.
    others: list[str]


class Example(Response):
    """A position that shows a rule, or with ``piece`` how a piece moves."""

    #: The key of the rule, or nothing.
    rule: str
    #: The letter of the piece, or nothing.
    piece: str
    options: dict[str, str]
    fen: str
    #: What is played to show it.
    moves: list[str]
    text: str


class Puzzle(Response):
    """What is to be found: ``moves`` to mate or, in this turn, to mate or to capture ``takes`` royal pieces."""

    fen: str
    side: Side
    goal: Literal["mate", "turn_mate", "capture"]
    moves: int
    takes: int
    #: The letter of a piece, the key of a rule, or nothing.
    teaches: str


class Lessons(Response):
    """What a game's page shows besides its definition."""

    diagrams: list[PieceDiagram]
    examples: list[Example]


class Daily(Response):
    """The puzzle of a day. ``solved`` are the days that the asker has solved on the day, the latest first."""

    date: str
    today: str
    first: str
    game: str
    puzzle: Puzzle
    solved: list[str]


class Attempt(Request):
    """A try: the moves so far, replies included. With ``show`` the solution is told."""

    moves: Annotated[list[MoveText], Meta(max_length=32)] = field(default_factory=list)
    show: bool = False


class AttemptResult(Response):
    """What came of a try: the moves that stand, with the reply to them, and the position after them."""

    verdict: Literal["right", "solved", "wrong", "shown"]
    moves: list[str]
    position: Position
