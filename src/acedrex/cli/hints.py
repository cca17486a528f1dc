"""Hints after a line that could not be played."""

from __future__ import annotations

import re

from acedrex.board import Board
from acedrex.cli.text import clean
from acedrex.errors import Error, IllegalMoveError
from acedrex.squares import parse_square

__all__ = ["hint"]

_ORIGIN = re.compile(r"([a-p](?:1[0-6]|[1-9]))[a-p]1?[0-9]")


def hint(board: Board, line: str, error: Error) -> str:
    """Return a hint what to type instead, to be appended to the error message."""
    capital = line[:1].upper() + line[1:]
    if capital != line and _is_legal(board, capital):
        return f'. Did you mean "{clean(capital)}"?'
    if not isinstance(error, IllegalMoveError):
        return '. "?" tells what you can type'
    origin = _ORIGIN.match(line)
    at = parse_square(origin[1]) if origin else None
    piece = None if at is None else board.piece_map().get(at)
    if origin is None or at is None or piece is None or piece.color != board.turn:
        return '. "moves" lists what is'
    return f'. "?{origin[1]}" shows how it moves'


def _is_legal(board: Board, text: str) -> bool:
    try:
        board.parse_san(text)
    except Error:
        return False
    return True
