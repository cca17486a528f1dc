"""Turns on a board, read and made as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable

from acedrex import _native
from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error, IllegalMoveError


def push_text(board: Board, text: str) -> tuple[list[Move], bool]:
    """Read a turn or a null move and make it; return its moves and whether it is unfinished (with a comma at its end).

    :raises Error: if it is not a legal turn, or a null move cannot be made; the board is unchanged.
    """
    return _native.push_written(board, text)


def push_moves(board: Board, moves: Iterable[Move]) -> tuple[list[Move], bool]:
    """Make the moves of one turn; return them and whether the turn is unfinished.

    :raises Error: if there are none, one is not legal, or the turn ends before the last; the board is unchanged.
    """
    made: list[Move] = []
    color = board.turn
    try:
        for move in moves:
            if made and is_over(board, color):
                raise IllegalMoveError(f"{move}: the turn is over before this move")
            board.push(move)
            made.append(move)
        if not made:
            raise IllegalMoveError("a turn has at least one move")
    except Error:
        pop(board, len(made))
        raise
    return made, not is_over(board, color)


def is_over(board: Board, color: bool) -> bool:
    """Return whether a side's turn is over: the other side is to move, or the game has ended."""
    return board.turn != color or not board.legal_moves


def pop(board: Board, moves: int) -> None:
    """Take back a number of moves."""
    for _ in range(moves):
        board.pop()
