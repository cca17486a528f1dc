"""What may help after a line that could not be played."""

from __future__ import annotations

import re

from acedrex.board import Board
from acedrex.cli.teach import why_not
from acedrex.cli.text import clean
from acedrex.cli.words import side
from acedrex.errors import Error, IllegalMoveError
from acedrex.squares import parse_square

__all__ = ["hint"]

_ORIGIN = re.compile(r"([a-p](?:1[0-6]|[1-9]))[a-p]1?[0-9]")


def hint(board: Board, line: str, error: Error) -> str:
    """Go on with the sentence of an error: why the line could not be played, and what to type instead."""
    capital = line[:1].upper() + line[1:]
    if capital != line and _is_legal(board, capital):
        return f'. Did you mean "{clean(capital)}"?'
    if not isinstance(error, IllegalMoveError):
        return '. "?" tells what you can type'
    origin = _ORIGIN.match(line)
    at = parse_square(origin[1]) if origin else None
    piece = None if at is None else board.piece_map().get(at)
    if origin is None or at is None or piece is None or piece.color != board.turn:
        return f'{_check(board)}. "moves" lists what is'
    stuck = all(move.word or move.from_square != at for move in board.legal_moves)
    why = f"; {why_not(board, at)}" if stuck else _check(board)
    return f'{why}. "?{origin[1]}" shows how it moves'


def _check(board: Board) -> str:
    return f"; {side(board.turn)} is in check" if board.is_check() else ""


def _is_legal(board: Board, text: str) -> bool:
    try:
        board.parse_san(text)
    except Error:
        return False
    return True
