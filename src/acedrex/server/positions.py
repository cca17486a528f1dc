"""Positions as messages to browsers, from :mod:`acedrex.plain`."""

from __future__ import annotations

from typing import cast

from msgspec import Raw

from acedrex import Board, plain
from acedrex.server import wire


def position(board: Board, last: list[str] | None, *, legal: bool) -> wire.Position:
    """Return a position, with its legal moves only if requested, since they are most of the work.

    :param last: the squares that the last move touched; by default as the board knows them.

    The core writes it as JSON, so the result can only be put into a message; it has no attributes.
    """
    return cast(wire.Position, Raw(plain.position_json(board, last, legal=legal)))


def after(board: Board, moves: list[str]) -> wire.Position:
    """Return the position after some moves.

    :raises acedrex.Error: if one is not legal.
    """
    for text in moves:
        board.push(board.parse_uci(text))
    return position(board, None, legal=True)
