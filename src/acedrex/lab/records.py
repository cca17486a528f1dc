"""What the native module makes of packed games."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from acedrex._native import Move

__all__ = ["Columns", "Record"]


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
