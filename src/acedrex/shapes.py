"""What positions, pieces and setups look like outside of Python: the shapes that the board in browsers takes.

They stand here and nowhere else. :mod:`acedrex.plain` tells them, the server tells OpenAPI of them, and
``tools/make_types.py`` makes the types of the board from them, with the comments that begin with ``#:``. Squares are
names (``g7``).
"""

from __future__ import annotations

from typing import Literal, TypedDict

Side = Literal["white", "black"]
#: How a square is reached; by a ``hop`` over another piece, whether it captures or not.
ReachKind = Literal["move", "capture", "both", "hop"]

# A class cannot have a field that is a keyword.
_From = TypedDict("_From", {"from": str})
_MaybeFrom = TypedDict("_MaybeFrom", {"from": str | None})


class PieceOn(TypedDict):
    """A piece on a square."""

    square: str
    #: The letter of its kind, in capitals for both sides: ``N``, ``R'``.
    letter: str
    side: Side


class Reach(TypedDict):
    """A square that a piece reaches, and how."""

    to: str
    kind: ReachKind
    #: The square of the piece hopped over.
    mount: str | None
    #: Every square stepped on, the destination last.
    path: list[str]
    #: The squares where a leg ends, the destination last.
    legs: list[str]


class Way(_From):
    """A way from one square to another."""

    to: str


class LegalMove(_MaybeFrom):
    """A legal move and what it does. Words such as ``end`` go from nowhere to nowhere."""

    #: As :meth:`acedrex.Move.uci` writes it: ``f2h3``, ``a7a8q``, ``end``.
    move: str
    to: str | None
    #: The letter of the kind that the piece becomes.
    promotion: str | None
    #: Nothing for castling, the King's jump, *en passant* and words.
    reach: Reach | None
    #: How to mark its destination.
    kind: ReachKind
    captured_on: str | None
    #: The way of the other piece in castling.
    partner: Way | None
    check: bool
    ends_turn: bool


class Position(TypedDict):
    """A position and what may be done in it."""

    fen: str
    turn: Side
    #: Half-moves made since the start.
    ply: int
    pieces: list[PieceOn]
    #: The moves of the turn under way.
    turn_moves: list[str]
    #: Moves that the turn may still have.
    moves_left: int
    #: Squares of the pieces that have moved in this turn.
    moved: list[str]
    #: Squares of the pieces that may still move, in games with turns of several moves.
    in_command: list[str] | None
    #: Squares of the royal pieces in check.
    check: list[str]
    #: Of the side to move; none if the game is over.
    legal: list[LegalMove]
    #: Squares that the last move touched: from, on the way, to.
    last: list[str]
    #: Draws that may be claimed.
    claimable: list[str]


class PieceKind(TypedDict):
    """A kind of piece."""

    id: int
    letter: str
    name: str
    #: Its other names.
    also: list[str]
    #: How it moves, in one line.
    help: str
    #: The id of its drawing; none for a letter on a disc.
    art: str | None
    royal: bool
    #: Whether none of its moves goes level or back.
    soldier: bool
    #: What it is worth, by source.
    values: dict[str, float]
    #: Letters.
    promotes_to: list[str]


class SetupGroup(TypedDict):
    """Pieces that are arranged on some squares: Black's, and White's in the same order."""

    squares: list[str]
    mirror: list[str]
    #: Letters.
    pieces: list[str]
    #: The squares of Black's where a piece may stand, by its letter, if not on all of the group.
    only: dict[str, list[str]]


class SetupPhase(TypedDict):
    """What the chooser arranges, and in how many ways."""

    count: int
    groups: list[SetupGroup]
