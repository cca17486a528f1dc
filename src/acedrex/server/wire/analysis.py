"""Analysis: trees of moves, engine lines, attacks, edited positions, and jobs."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, field

from acedrex import limits
from acedrex.plain import Evaluation
from acedrex.server.wire.positions import GameRequest
from acedrex.server.wire.socket import Hello, Ping, Pong, Refused
from acedrex.server.wire.vocabulary import Fen, Id, MoveText, Name, Number, Request, Response, SetupName
from acedrex.shapes import PieceOn, PieceSet, Position, Side

Spec = Annotated[str, Meta(min_length=1, max_length=400)]
Options = Annotated[dict[Name, Name], Meta(max_length=32)]
Comment = Annotated[str, Meta(max_length=8_192)]
Nags = Annotated[list[Annotated[int, Meta(ge=0, le=255)]], Meta(max_length=16)]
Moves = Annotated[list[MoveText], Meta(max_length=limits.MAX_LINE_MOVES)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
#: A colour in hexadecimal: #b08a5d.
Colour = Annotated[str, Meta(pattern="^#([0-9A-Fa-f]{3}){1,2}$")]
#: A PGN tag and its value.
TagName = Annotated[str, Meta(min_length=1, max_length=64)]
TagValue = Annotated[str, Meta(max_length=500)]


class TreeNode(Request):
    """A move of a tree, with the index of its parent in the list (-1: the start) and its annotations."""

    parent: Annotated[int, Meta(ge=-1, le=10_000)]
    move: MoveText
    comment: Comment = ""
    nags: Nags = field(default_factory=list)


class TreeRequest(Request, kw_only=True):
    """A tree of moves in depth-first order: the first variation to its end, then the next."""

    game: Spec
    options: Options = field(default_factory=dict)
    setup: SetupName | None = None
    fen: Fen | None = None
    nodes: Annotated[list[TreeNode], Meta(max_length=limits.MAX_TREE_MOVES)] = field(default_factory=list)
    comment: Comment = ""
    tags: Annotated[dict[TagName, TagValue], Meta(max_length=32)] = field(default_factory=dict)


class RecordRequest(Request):
    """A game in PGN."""

    pgn: Annotated[str, Meta(min_length=1, max_length=limits.MAX_PGN)]


class NodeMade(Response):
    """A move of a tree in full; the FEN is that of the position after the move."""

    parent: int
    move: str
    san: str
    side: Side
    turn: int
    fen: str
    comment: str
    nags: list[int]


class Tree(Response, kw_only=True):
    """A tree that was read and checked."""

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
    #: Whether the text has more games.
    more: bool


class MovesRequest(GameRequest, kw_only=True):
    """Moves to make from a position, in coordinates or in SAN."""

    fen: Fen
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=100)]


class MovesMade(Response):
    """The moves in sequence, and the position that they lead to."""

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
    """A piece that could be captured at a profit, and the piece that could capture it."""

    from_: str = field(name="from")
    to: str


class Attacks(Response):
    """Attacked squares and threatened pieces."""

    squares: list[AttackedSquare]
    threats: list[Threat]


class EditedPiece(Request):
    """A piece placed on a square."""

    square: Square
    letter: Annotated[str, Meta(min_length=1, max_length=3)]
    side: Side


class EditRequest(Request, kw_only=True):
    """An edited position, as a FEN or a list of pieces; it need not be legal."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen | None = None
    pieces: Annotated[list[EditedPiece], Meta(max_length=256)] = field(default_factory=list)
    turn: Side = "white"
    rights: Annotated[str, Meta(max_length=64)] = "-"


class EditProblem(Response):
    """Why a position cannot be played."""

    name: str
    message: str


class Right(Response):
    """A right that a position can have: castling, with the partner's square, a first move from a square, and others.

    ``possible`` says whether its pieces are in place.
    """

    letter: str
    side: Side
    what: Literal["kingside", "queenside", "first_move", "jump", "played_on", "passed"]
    square: Square | None
    possible: bool


class Edited(Response):
    """An edited position, and the reasons why it is illegal, if any."""

    fen: str
    pieces: list[PieceOn]
    turn: Side
    rights: str
    known_rights: list[Right]
    problems: list[EditProblem]


class PictureArrow(Request):
    """An arrow, or a ring if both squares are the same."""

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
    pieces: PieceSet = "art"
    theme: Literal["light", "dark"] = "light"
    #: The colours of the squares, in place of the theme's.
    light_squares: Colour | None = None
    dark_squares: Colour | None = None
    size: Annotated[int, Meta(ge=100, le=2_000)] = 800


# The engine.


class Line(Response):
    """A line of the engine: its moves in coordinates and in SAN."""

    score: Evaluation
    moves: list[str]
    san: str


class AnalysePosition(Request, tag="look", kw_only=True):
    """Analyse a position; the previous analysis stops."""

    id: Id
    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    moves: Moves = field(default_factory=list)
    lines: Annotated[int, Meta(ge=1, le=5)] = 1


class StopAnalysis(Request, tag="stop"):
    """Stop the analysis."""


class Lines(Response, tag="lines"):
    """The engine's lines so far; ``done`` when the search has ended."""

    id: str
    depth: int
    nodes: int
    nps: int
    lines: list[Line]
    done: bool


ToAnalyst = Union[Hello, AnalysePosition, StopAnalysis, Ping]  # noqa: UP007 - msgspec reads it at run time
FromAnalyst = Union[Lines, Refused, Pong]  # noqa: UP007


class JobRequest(Request, kw_only=True):
    """A game to analyse."""

    game: Spec
    options: Options = field(default_factory=dict)
    fen: Fen
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=limits.MAX_LINE_MOVES)]


class Finding(Response):
    """The engine's evaluation of one position of a game, and its best line there."""

    #: Half-moves made before the position.
    ply: Number
    score: Evaluation
    depth: int
    best: list[str]
    san: str


class Job(Response):
    """The analysis of a game: how many positions are done, how many there are, and findings from a ply on."""

    job: str
    done: int
    total: int
    found: list[Finding]
