"""Games in lists and on their pages."""

from __future__ import annotations

from typing import Literal

from acedrex.server.wire.lessons import Puzzle
from acedrex.server.wire.vocabulary import Response
from acedrex.shapes import PieceType, SetupPhase


class Setup(Response):
    """A setup: one arrangement of the pieces."""

    #: The letters on Black's squares, groups joined by ``-``.
    name: str
    number: int
    fen: str


class SetupScore(Response):
    """White's score from a setup, in per cent, and half the width of its 95 % interval."""

    white: float
    margin: float


class SetupScores(Response):
    """White's score from each setup, from games of the engine against itself."""

    #: Nodes a turn.
    nodes: int
    #: All games together.
    games: int
    #: By the name of the setup.
    scores: dict[str, SetupScore]


class RuleText(Response):
    """A special rule, described in words."""

    key: str
    title: str
    text: str


class OptionKind(Response):
    """An option of a game."""

    name: str
    help: str
    values: list[str]
    default: str


Origin = Literal["shipped", "file", "published"]


class GameSummary(Response, kw_only=True):
    """A game in a list."""

    id: str
    name: str
    author: str = ""
    year: int | None = None
    summary: str = ""
    files: int = 0
    ranks: int = 0
    #: The number of piece types in play without any option.
    piece_kinds: int = 0
    setups: int = 0
    #: The maximum number of moves per turn.
    turn_moves: int = 1
    start_fen: str = ""
    #: Whether it is among the games shown first.
    featured: bool = False
    #: ``file``: from the folder given with ``--games``; ``published``: by somebody in the studio.
    origin: Origin = "shipped"


class Handicap(Response):
    """The starting position without one white piece of a type."""

    fen: str
    letter: str


class OpeningLine(Response):
    """The position after an opening line, and in how many public games it was played to the end."""

    fen: str
    setup: str | None
    san: str
    games: int


class StartingPositions(Response):
    """Positions to begin a match from."""

    endings: list[Puzzle]
    handicaps: list[Handicap]
    openings: list[OpeningLine]


class Game(GameSummary, kw_only=True):
    """A game in full."""

    link: str
    story: str
    rules: list[RuleText]
    scoring: str
    rules_hash: str
    has_check: bool
    options: list[OptionKind]
    pieces: list[PieceType]
    setup: SetupPhase | None
    #: What a study found out about setups, if there was one with these rules.
    setup_scores: SetupScores | None
    #: The piece types that are not in play, by letter, with the option that brings them into play, or an empty text.
    not_in_play: dict[str, str]
    #: Of the game of a match: whether the game with this id has other rules today.
    changed: bool = False
