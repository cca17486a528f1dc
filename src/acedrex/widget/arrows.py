"""Arrows on the board, in several notations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypedDict

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.plain import NAMES
from acedrex.squares import parse_square

__all__ = ["Arrow", "ArrowLike", "Drawn", "drawn", "line_arrows", "read_arrow"]

COLOURS = ("lapis", "vermilion", "gold")

Place: TypeAlias = int | str
#: Origin, destination and colour, as for :func:`acedrex.svg.board`.
Arrow: TypeAlias = tuple[int, int, str]
ArrowLike: TypeAlias = Move | str | tuple[Place, Place] | tuple[Place, Place, str]

#: An arrow as the page takes it; a ring if both squares are the same.
Drawn = TypedDict("Drawn", {"from": str, "to": str, "colour": str, "faint": bool})


def read_arrow(arrow: ArrowLike, board: Board) -> Arrow:
    """Read an arrow: a move or its text, or two squares by name or number, with or without a colour.

    >>> read_arrow("e2e4", Board("chess")), read_arrow(("e2", 52, "gold"), Board("chess"))
    ((20, 52, 'lapis'), (20, 52, 'gold'))

    :raises Error: if it is not an arrow, or a square is not on the board.
    """
    if isinstance(arrow, str):
        arrow = Move.from_uci(arrow)
    if isinstance(arrow, Move):
        if arrow.special is not None:
            raise Error(f"{arrow.special!r} has no squares; an arrow needs two")
        arrow = (arrow.from_square, arrow.to_square)
    if not isinstance(arrow, tuple) or len(arrow) not in (2, 3):
        raise Error(f"{arrow!r:.60} is not an arrow: give a move, or (from, to), or (from, to, colour)")
    start, end = (parse_square(place) if isinstance(place, str) else place for place in arrow[:2])
    colour = arrow[2] if len(arrow) == 3 else COLOURS[0]
    if colour not in COLOURS:
        raise Error(f"an arrow is one of {', '.join(COLOURS)}, not {colour!r:.20}")
    for at in (start, end):
        # ``piece_at`` rejects numbers that are not squares.
        board.piece_at(at)
    return start, end, colour


def drawn(arrows: Iterable[Arrow]) -> list[Drawn]:
    """Return arrows as the page takes them."""
    return [{"from": NAMES[start], "to": NAMES[end], "colour": colour, "faint": False} for start, end, colour in arrows]


def line_arrows(board: Board, moves: Iterable[Move], *, faint: bool) -> list[Drawn]:
    """Return the arrows of the first turn of a line."""
    found: list[Drawn] = []
    trial = board.copy(stack=False)
    for move in moves:
        if trial.turn != board.turn:
            break
        if move.special is None:
            start, end = NAMES[move.from_square], NAMES[move.to_square]
            found.append({"from": start, "to": end, "colour": COLOURS[0], "faint": faint})
        trial.push(move)
    return found
