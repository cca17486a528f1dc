"""Positions as browsers want them: what :mod:`acedrex.plain` tells, as messages."""

from __future__ import annotations

from typing import cast

from msgspec import Raw

from acedrex import Board, plain
from acedrex.server import wire


def position(board: Board, last: list[str], *, legal: bool) -> wire.Position:
    """Tell a position; its legal moves only if they are wanted, for they are most of the work.

    The core writes it as it is sent: whoever got it can put it into a message and do nothing else with it.
    """
    return cast(wire.Position, Raw(plain.position_json(board, last, legal=legal)))


def after(board: Board, moves: list[str]) -> wire.Position:
    """Tell the position after some moves.

    :raises acedrex.Error: if one is not legal.
    """
    last: list[str] = []
    for text in moves:
        move = board.parse_uci(text)
        last = plain.way(board, move)
        board.push(move)
    return position(board, last, legal=True)
