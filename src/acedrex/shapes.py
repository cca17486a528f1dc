"""The types of positions, pieces and setups outside Python, as the board in browsers takes them.

They are defined only here: :mod:`acedrex.plain` returns them, the server's OpenAPI document includes them, and
``tools/make_types.py`` generates the TypeScript types from them, with the comments that begin with ``#:``. Squares are
names (``g7``).
"""

from __future__ import annotations

from typing import Literal, TypedDict

Side = Literal["white", "black"]
#: How a square is reached; by a ``hop`` over another piece, whether it captures or not.
ReachKind = Literal["move", "capture", "both", "hop"]
#: Drawings, diagrams of how the pieces move, or letters on discs.
PieceSet = Literal["art", "geometric", "letters"]

# A class cannot have a field that is a keyword.
_From = TypedDict("_From", {"from": str})
_MaybeFrom = TypedDict("_MaybeFrom", {"from": str | None})


class PieceOn(TypedDict):
    """A piece on a square."""

    square: str
    #: The letter of its piece type, in capitals for both sides: ``N``, ``R'``.
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


class PartnerMove(_From):
    """Where a piece goes from and to."""

    to: str


class LegalMove(_MaybeFrom):
    """A legal move and what it does. Special moves such as ``end`` have no squares."""

    #: As :meth:`acedrex.Move.uci` writes it: ``f2h3``, ``a7a8q``, ``end``.
    move: str
    to: str | None
    #: The letter of the piece type that the piece becomes.
    promotion: str | None
    #: None for castling, the King's jump, *en passant* and special moves.
    reach: Reach | None
    #: How to mark its destination.
    kind: ReachKind
    captured_on: str | None
    #: Where the other piece of castling goes from and to.
    partner: PartnerMove | None
    check: bool
    ends_turn: bool


class TurnMove(TypedDict):
    """A move of a turn of several moves."""

    #: The squares that it touched: its origin, its path and its destination.
    path: list[str]
    #: The pieces before it, as the first field of a FEN.
    before: str


class Commanded(TypedDict):
    """A piece that may still move, and the royal pieces that may still command it."""

    square: str
    by: list[str]


class Position(TypedDict):
    """A position and the moves that are legal in it."""

    fen: str
    turn: Side
    #: Half-moves made since the start.
    ply: int
    pieces: list[PieceOn]
    #: The moves made in the current turn.
    turn_moves: list[str]
    #: How many more moves the current turn may have.
    moves_left: int
    #: Squares of the pieces that have moved in this turn.
    moved: list[str]
    #: Squares of the pieces that may still move, in games with turns of several moves.
    in_command: list[str] | None
    #: Which royal pieces may still command which pieces; empty in games without command.
    commanders: list[Commanded]
    #: The moves of the current turn or, at its start, of the turn before; empty in games with one move per turn.
    last_turn: list[TurnMove]
    #: Squares of the royal pieces in check.
    check: list[str]
    #: The legal moves of the side to move; none if the game is over.
    legal: list[LegalMove]
    #: Squares that the last move touched: its origin, its path and its destination.
    last: list[str]
    #: Draws that may be claimed.
    claimable: list[str]


class Emblem(TypedDict):
    """A plain drawing of how a piece moves: path data in a square from 0 to 100, to be stroked with round ends."""

    #: Leaps: strokes 9 wide.
    dots: str
    #: Steps and slides: strokes 7 wide.
    lines: str
    #: Everything else, such as hops and moves that cannot capture: strokes 3 wide.
    fine: str
    #: The letter of the piece type if another one of the game moves alike, otherwise empty.
    letter: str


class PieceType(TypedDict):
    """A piece type."""

    id: int
    letter: str
    name: str
    #: Its other names.
    also: list[str]
    #: How it moves, in one line.
    help: str
    #: The id of its drawing, or a drawing of its own as path data; none if it is shown as a letter on a disc.
    art: str | None
    #: Its picture in the geometric set.
    emblem: Emblem
    royal: bool
    #: Whether all its moves go forward.
    soldier: bool
    #: Its values, by source.
    values: dict[str, float]
    #: The letters of the piece types that it can promote to.
    promotes_to: list[str]


class SetupGroup(TypedDict):
    """Pieces that are arranged on given squares: Black's, and White's mirrored squares in the same order."""

    squares: list[str]
    mirror: list[str]
    #: The letters of the pieces.
    pieces: list[str]
    #: Black's squares on which a piece may be placed, by its letter, if these are not all squares of the group.
    only: dict[str, list[str]]


class SetupPhase(TypedDict):
    """What the player who chooses the setup arranges, and the number of setups."""

    count: int
    groups: list[SetupGroup]
