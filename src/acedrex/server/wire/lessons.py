"""Lessons: diagrams and examples of a game's page, puzzles, and attempts at them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import Id, Moment, MoveText, Number, Request, Response
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
    """A puzzle, to be solved in ``moves`` moves.

    ``mate``: force mate; ``win``: win a piece for nothing; ``defence``: avoid being mated in two moves. Within this
    turn, ``turn_mate``: mate; ``capture``: capture ``takes`` royal pieces; ``save``: leave no royal piece to be
    captured in the next turn.
    """

    fen: str
    side: Side
    goal: Literal["mate", "win", "defence", "turn_mate", "capture", "save"]
    moves: int
    takes: int
    #: The letter of a piece, the key of a rule, or empty.
    teaches: str
    #: The solution, by which a browser without a network judges attempts. With ``mate``, ``win`` and ``defence`` every
    #: second move is a reply; in the others the moves may be made in any order.
    line: list[str]


PuzzleTheme = Literal["mate_in_2", "mate_in_3", "mate_in_4", "capture", "save", "special_rule"]


class PuzzleEntry(Response):
    """A puzzle in a game's list, by its number from 1. New versions only add puzzles, at the end."""

    number: int
    themes: list[PuzzleTheme]
    difficulty: Literal["easy", "medium", "hard"]
    rating: int


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
    """An attempt: the moves so far, replies included. ``show`` asks for the solution.

    ``rated`` lets it change the ratings of the person, who has an account, and of the puzzle, if it is the person's
    first rated attempt at it, once it has failed or reached the end.
    """

    moves: Annotated[list[MoveText], Meta(max_length=32)] = field(default_factory=list)
    show: bool = False
    rated: bool = False


class PuzzleChange(Response):
    """The rating of a person after an attempt, by how many points it has changed, and that of the puzzle."""

    rating: int
    provisional: bool
    change: int
    puzzle: int


class AttemptResult(Response):
    """The result of an attempt: the moves accepted, with the reply to them, and the position after them."""

    verdict: Literal["right", "solved", "wrong", "shown"]
    moves: list[str]
    position: Position
    #: If the attempt has changed ratings.
    rated: PuzzleChange | None = None


class PuzzleReturn(Request):
    """A puzzle that was failed."""

    #: When it comes back; ``None`` if it does not come back any more.
    due: Moment | None
    #: Whether that is the last time.
    last: bool
    #: When this was decided: of two devices the later one is right.
    at: Moment


Numbers = Annotated[list[Number], Meta(max_length=2_000)]


class Progress(Request):
    """What somebody has solved, on all devices: numbers by game, and other things by game and number or minutes."""

    exercises: Annotated[dict[Id, Numbers], Meta(max_length=100)] = field(default_factory=dict)
    #: The days whose puzzle was solved.
    days: Annotated[list[Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", max_length=10)]], Meta(max_length=400)] = (
        field(default_factory=list)
    )
    solved: Annotated[dict[Id, Numbers], Meta(max_length=100)] = field(default_factory=dict)
    returns: Annotated[dict[Annotated[str, Meta(max_length=80)], PuzzleReturn], Meta(max_length=2_000)] = field(
        default_factory=dict
    )
    #: The most puzzles solved in a rush.
    best: Annotated[dict[Annotated[str, Meta(max_length=80)], Number], Meta(max_length=400)] = field(
        default_factory=dict
    )
