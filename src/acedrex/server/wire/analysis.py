"""Analysis: trees of moves, lines of the engine, what attacks what, positions made by hand, and jobs."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, field

from acedrex.plain import Evaluation
from acedrex.server.wire.socket import Hello, Ping, Pong, Refused
from acedrex.server.wire.vocabulary import Fen, Id, MoveText, Name, Number, Request, Response, SetupName
from acedrex.shapes import PieceOn, Position, Side

Spec = Annotated[str, Meta(min_length=1, max_length=400)]
Options = Annotated[dict[Name, Name], Meta(max_length=32)]
Comment = Annotated[str, Meta(max_length=8_192)]
Nags = Annotated[list[Annotated[int, Meta(ge=0, le=255)]], Meta(max_length=16)]
Moves = Annotated[list[MoveText], Meta(max_length=1_000)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
#: A tag of PGN and its value.
TagName = Annotated[str, Meta(min_length=1, max_length=64)]
TagValue = Annotated[str, Meta(max_length=500)]


class TreeNode(Request):
    """A move of a tree: the place of the one before it in the list (-1: the start), and what is said about it."""

    parent: Annotated[int, Meta(ge=-1, le=10_000)]
    move: MoveText
    comment: Comment = ""
    nags: Nags = field(default_factory=list)


class TreeRequest(Request, kw_only=True):
    """A tree. Moves stand in the order of a walk: the first variation to its end, then the next."""

    game: Spec
    options: Options = field(default_factory=dict)
    setup: SetupName | None = None
    fen: Fen | None = None
    nodes: Annotated[list[TreeNode], Meta(max_length=5_000)] = field(default_factory=list)
    comment: Comment = ""
    tags: Annotated[dict[TagName, TagValue], Meta(max_length=32)] = field(default_factory=dict)


class RecordRequest(Request):
    """A record in PGN."""

    pgn: Annotated[str, Meta(min_length=1, max_length=250_000)]


class NodeMade(Response):
    """A move of a tree with what the core says of it; the FEN is that of the position behind it."""

    parent: int
    move: str
    san: str
    side: Side
    turn: int
    fen: str
    comment: str
    nags: list[int]


class Tree(Response, kw_only=True):
    """A tree, read."""

    game: str
    options: dict[str, str]
    name: str
    rules_hash: str
    start_fen: str
    setup: str | None
    comment: str
    tags: dict[str, str]
    nodes: list[NodeMade]
    faults: list[str]


class MovesRequest(Request, kw_only=True):
    """Moves to make from a position, in coordinates or in SAN."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=100)]


class MovesMade(Response):
    """The moves one behind the other, and the position that they lead to."""

    nodes: list[NodeMade]
    position: Position


class FenRequest(Request, kw_only=True):
    """A position."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen


class AttackedSquare(Response):
    """How many pieces of each side attack a square."""

    square: str
    white: int
    black: int


class Threat(Response):
    """A piece that could be taken at a profit, and by which."""

    from_: str = field(name="from")
    to: str


class Attacks(Response):
    """What attacks what."""

    squares: list[AttackedSquare]
    threats: list[Threat]


class EditedPiece(Request):
    """A piece that was put on a square."""

    square: Square
    letter: Annotated[str, Meta(min_length=1, max_length=3)]
    side: Side


class EditRequest(Request, kw_only=True):
    """A position made by hand, as a FEN or by what stands where; it need not be legal."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen | None = None
    pieces: Annotated[list[EditedPiece], Meta(max_length=256)] = field(default_factory=list)
    turn: Side = "white"
    rights: Annotated[str, Meta(max_length=64)] = "-"


class EditProblem(Response):
    """Why a position cannot be played from."""

    name: str
    message: str


class Right(Response):
    """A right that the position may have: whether what it needs stands there."""

    letter: str
    possible: bool


class Edited(Response):
    """A position made by hand, and why it is not legal, if it is not."""

    fen: str
    pieces: list[PieceOn]
    turn: Side
    rights: str
    known_rights: list[Right]
    problems: list[EditProblem]


class PictureArrow(Request):
    """An arrow, or a ring where both squares are one."""

    from_: Square = field(name="from")
    to: Square
    colour: Literal["lapis", "vermilion", "gold"]


class PictureRequest(Request, kw_only=True):
    """A picture of a position."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    last: Annotated[list[Square], Meta(max_length=64)] = field(default_factory=list)
    arrows: Annotated[list[PictureArrow], Meta(max_length=64)] = field(default_factory=list)
    orientation: Side = "white"
    pieces: Literal["art", "letters"] = "art"
    theme: Literal["light", "dark"] = "light"
    size: Annotated[int, Meta(ge=100, le=2_000)] = 800


# The engine.


class Line(Response):
    """A line of the engine, the moves by themselves and in SAN."""

    score: Evaluation
    moves: list[str]
    san: str


class AnalysePosition(Request, tag="look", kw_only=True):
    """Look at a position; what was looked at before is dropped."""

    id: Id
    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    moves: Moves = field(default_factory=list)
    lines: Annotated[int, Meta(ge=1, le=5)] = 1


class StopAnalysis(Request, tag="stop"):
    """Look at nothing any more."""


class Lines(Response, tag="lines"):
    """How far the engine has come; ``done`` when it looks no further."""

    id: str
    depth: int
    nodes: int
    nps: int
    lines: list[Line]
    done: bool


ToAnalyst = Union[Hello, AnalysePosition, StopAnalysis, Ping]  # noqa: UP007 - msgspec reads it at run time
FromAnalyst = Union[Lines, Refused, Pong]  # noqa: UP007


class JobRequest(Request, kw_only=True):
    """A game to look through."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=1_000)]


class Finding(Response):
    """What the engine thinks of one position of a game, after so many moves, and what it would play there."""

    #: Half-moves made before.
    ply: Number
    score: Evaluation
    depth: int
    best: list[str]
    san: str


class Job(Response):
    """A game being looked through: the positions done of all, and those found behind a number."""

    job: str
    done: int
    total: int
    found: list[Finding]
