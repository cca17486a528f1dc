"""Moves and positions as XBoard writes them.

On boards with ten ranks XBoard counts them from 0. A capture that does not land on the victim's square is written as
two legs, first to the victim and then on: XBoard removes the piece on which the first leg ends.
"""

from __future__ import annotations

import re

from acedrex import _native
from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error, InvalidMoveError
from acedrex.game import Game
from acedrex.squares import parse_square, square_name

__all__ = ["read_fen", "read_move", "read_square", "write_move", "write_square"]

MOVE = re.compile(r"([a-p]\d\d?)([a-p]\d\d?)(?:,\2([a-p]\d\d?))?([a-z]['!]?)?")


def first_rank(game: Game) -> int:
    """Return the number of the first rank in XBoard."""
    return 0 if game.ranks == 10 else 1


def write_square(game: Game, at: int) -> str:
    """Write a square."""
    return square_name(at)[0] + str((at >> 4) + first_rank(game))


def read_square(game: Game, text: str) -> int:
    """Read a square.

    :raises Error: if the text is not a square.
    """
    if not re.fullmatch(r"[a-p]\d\d?", text):
        raise Error(f"{text[:10]!r} is not a square")
    return parse_square(text[0] + str(int(text[1:]) + 1 - first_rank(game)))


def write_move(board: Board, move: Move, *, legs: bool) -> list[str]:
    """Write a legal move, as one leg or two.

    :param legs: whether a capture *en passant* has two legs; it has one in games whose rules XBoard knows.
    """
    game = board.game
    origin, target = write_square(game, move.from_square), write_square(game, move.to_square)
    promotion = (move.promotion or "").lower()
    victim = board.move_info(move).captured_on
    if legs and victim is not None and victim != move.to_square:
        middle = write_square(game, victim)
        return [f"{origin}{middle},", f"{middle}{target}{promotion}"]
    return [f"{origin}{target}{promotion}"]


def read_move(board: Board, text: str) -> Move:
    """Read a move.

    :raises InvalidMoveError: if the text is not a move.
    """
    found = MOVE.fullmatch(text)
    if found is None:
        raise InvalidMoveError(f"{text[:20]!r} is not a move")
    origin, landing, further, promotion = found.groups()
    start, end = read_square(board.game, origin), read_square(board.game, further or landing)
    return Move(start, end, promotion.upper() if promotion else None)


def read_fen(game: Game, text: str) -> Board:
    """Set up a position from XBoard's FEN.

    XBoard has its own notion of rights and *en passant* squares; those that the game has are used.

    :raises InvalidFenError: if the text is not a position of the game.
    """
    return Board(game, _native.xboard_fen(game, text))
