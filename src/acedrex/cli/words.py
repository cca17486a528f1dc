"""Sentences about positions and pieces."""

from __future__ import annotations

from collections.abc import Iterable

from acedrex.board import Board
from acedrex.cli.text import clean, join
from acedrex.game import PieceType
from acedrex.squares import square_name

__all__ = ["piece_title", "side", "squares", "turn_words", "values"]


def side(color: bool) -> str:
    """Return the name of a side."""
    return "White" if color else "Black"


def squares(numbers: Iterable[int]) -> str:
    """Return the names of squares in the order of files."""
    return " ".join(map(square_name, sorted(numbers, key=lambda at: (at % 16, at))))


def turn_words(board: Board) -> str:
    """Return the side to move and whether it is in check, as a sentence."""
    words = f"{side(board.turn)} to move"
    if board.game.turns_of_several_moves:
        made = len(board.turn_moves)
        words += f" ({made + 1} of {made + board.moves_left})"
    return words + (", in check." if board.is_check() else ".")


def piece_title(piece: PieceType) -> str:
    """Return a piece's name with its other names."""
    others = f" ({', '.join(piece.also)})" if piece.also else ""
    return clean(piece.name + others)


def values(piece: PieceType, last: str = "or") -> str:
    """Return a piece's values with their sources, ``last`` between the last two."""
    numbers = {source: f"{value:g}" for source, value in piece.values.items()}
    return clean(join([n if source == "value" else f"{n} ({source})" for source, n in numbers.items()], last))
