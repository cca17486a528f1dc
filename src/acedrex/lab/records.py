"""What the native module makes of packed games and of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from acedrex._native import Move

__all__ = ["Columns", "Counts", "Ended", "MatesClass", "MatesReport", "Record"]


class Record(TypedDict):
    """A game of the data."""

    start: str
    moves: list[Move]
    scores: list[int | None]
    half_points: tuple[int, int]
    ending: str


class Columns(TypedDict):
    """The columns of positions, as the bytes of arrays."""

    boards: bytes
    black_to_move: bytes
    scores: bytes
    results: bytes
    games: bytes


class MatesClass(TypedDict):
    """What was found about one class of positions of a set of pieces; pairs are a number of positions and of wins."""

    same_color: bool | None
    to_move: tuple[int, int]
    bare_to_move: tuple[int, int]
    mates: int
    dead: tuple[int, int]
    by_moves: list[int]
    longest: str


class MatesReport(TypedDict):
    """What was found about a set of pieces."""

    checked: int
    classes: list[MatesClass]


class Ended(TypedDict):
    """How a game began and ended."""

    start: str
    half_points: tuple[int, int]
    ending: str
    #: The score of the first turn that the engine played, in centipawns for White.
    score: int | None
    #: By kind, White's pieces minus Black's when the engine began.
    difference: list[int]


class Counts(TypedDict):
    """What happens in the games of a block."""

    #: By kind: started, survived, moves, captures, captured, promotions, steps, moves with a path.
    kinds: list[list[int]]
    #: By event: its name, the games in which it happened, how often it happened.
    events: list[tuple[str, int, int]]
    #: By turn: positions and legal moves.
    branching: list[tuple[int, int]]
    #: By game.
    turns: list[int]
