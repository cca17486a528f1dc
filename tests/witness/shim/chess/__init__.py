"""Acedrex under the name of python-chess, for that library's own tests: constants, and chess without naming the game.

It adds nothing that Acedrex does not do, except that positions that cannot be played are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import acedrex
from acedrex import *  # noqa: F403 - the names under test
from acedrex import SQUARES as ALL_SQUARES
from acedrex import parse_square, square_file, square_name, square_rank

SQUARES = [square for square in ALL_SQUARES if square_file(square) < 8 and square_rank(square) < 8]
SQUARE_NAMES = [square_name(square) for square in SQUARES]
BB_SQUARES = [1 << square for square in SQUARES]
BB_EMPTY, BB_ALL = 0, sum(BB_SQUARES)
BB_RANKS = [sum(1 << at for at in SQUARES if square_rank(at) == rank) for rank in range(8)]
BB_FILES = [sum(1 << at for at in SQUARES if square_file(at) == file) for file in range(8)]
BB_BACKRANKS = BB_RANKS[0] | BB_RANKS[7]
BB_CENTER = sum(1 << parse_square(name) for name in ("d4", "e4", "d5", "e5"))
BB_LIGHT_SQUARES = sum(1 << at for at in SQUARES if (square_file(at) + square_rank(at)) % 2)
globals().update({name.upper(): square for name, square in zip(SQUARE_NAMES, SQUARES, strict=True)})
globals().update({f"BB_{name.upper()}": 1 << at for name, at in zip(SQUARE_NAMES, SQUARES, strict=True)})
globals().update({f"BB_RANK_{number + 1}": rank for number, rank in enumerate(BB_RANKS)})
globals().update({f"BB_FILE_{letter}": file for letter, file in zip("ABCDEFGH", BB_FILES, strict=True)})


def popcount(mask: int | acedrex.SquareSet) -> int:
    """Count the squares of a mask."""
    return int(mask).bit_count()


class SquareSet:
    """Makes sets of squares of a board with 8x8 squares."""

    def __new__(cls, squares: int | Iterable[int] = 0) -> Any:
        return acedrex.SquareSet(squares & BB_ALL if isinstance(squares, int) else squares, 8, 8)

    ray = staticmethod(acedrex.SquareSet.ray)
    between = staticmethod(acedrex.SquareSet.between)
    from_square = staticmethod(acedrex.SquareSet.from_square)


class Board(acedrex.Board):
    """A board of chess."""

    def __new__(cls, fen: Any = acedrex.STARTING_FEN, *args: Any, **options: Any) -> Self:
        """Create a board from a FEN; ``None`` for an empty one."""
        if isinstance(fen, acedrex.Game | str) and (isinstance(fen, acedrex.Game) or fen == "chess"):
            return super().__new__(cls, fen, *args, **options)
        board = super().__new__(cls, "chess", **options)
        if fen is None:
            board.clear()
        else:
            board.set_fen(fen)
        return board

    def set_fen(self, fen: str, *, playable: bool = False) -> None:
        """Set the position."""
        super().set_fen(fen, playable=playable)


class BaseBoard(Board):
    """Pieces only."""

    def __new__(cls, board_fen: Any = acedrex.STARTING_BOARD_FEN, *args: Any, **options: Any) -> Self:
        """Create a board from the first field of a FEN."""
        whole = isinstance(board_fen, str) and board_fen != "chess"
        return super().__new__(cls, f"{board_fen} w - - 0 1" if whole else board_fen, *args, **options)
