"""Plies and positions as XBoard writes them.

Where a board has ten ranks XBoard counts them from 0. A capture that is not made by landing on the victim is written as
two legs, first to the victim and then on: XBoard removes what stands where the first leg ends.
"""

from __future__ import annotations

import re

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error, InvalidFenError, InvalidMoveError
from acedrex.game import Game
from acedrex.squares import parse_square, square_name

__all__ = ["read_fen", "read_ply", "read_square", "write_ply", "write_square"]

PLY = re.compile(r"([a-p]\d\d?)([a-p]\d\d?)(?:,\2([a-p]\d\d?))?([a-z]['!]?)?")


def first_rank(game: Game) -> int:
    """Give the number that XBoard has for the first rank."""
    return 0 if game.ranks == 10 else 1


def write_square(game: Game, at: int) -> str:
    """Write a square."""
    return square_name(at)[0] + str((at >> 4) + first_rank(game))


def read_square(game: Game, text: str) -> int:
    """Read a square.

    :raises Error: if it is none.
    """
    if not re.fullmatch(r"[a-p]\d\d?", text):
        raise Error(f"{text[:10]!r} is no square")
    return parse_square(text[0] + str(int(text[1:]) + 1 - first_rank(game)))


def write_ply(board: Board, ply: Move, *, legs: bool) -> list[str]:
    """Write a legal ply, as one leg or two.

    :param legs: whether a capture in passing is two legs; where XBoard knows the rules, it is one.
    """
    game = board.game
    origin, target = write_square(game, ply.from_square), write_square(game, ply.to_square)
    promotion = (ply.promotion or "").lower()
    victim = board.ply_info(ply).captured_on
    if legs and victim is not None and victim != ply.to_square:
        middle = write_square(game, victim)
        return [f"{origin}{middle},", f"{middle}{target}{promotion}"]
    return [f"{origin}{target}{promotion}"]


def read_ply(board: Board, text: str) -> Move:
    """Read a ply.

    :raises InvalidMoveError: if it is none.
    """
    found = PLY.fullmatch(text)
    if found is None:
        raise InvalidMoveError(f"{text[:20]!r} is no move")
    origin, landing, further, promotion = found.groups()
    start, end = read_square(board.game, origin), read_square(board.game, further or landing)
    return Move(start, end, promotion.upper() if promotion else None)


def read_fen(game: Game, text: str) -> Board:
    """Set up a position that XBoard tells.

    XBoard has its own notion of what has not moved yet and of taking in passing, so of the third and fourth field only
    what the game allows is taken over.

    :raises InvalidFenError: if it is none.
    """
    fields = text.split()
    if len(fields) < 2:
        raise InvalidFenError("a FEN has at least the pieces and the side to move")
    placement, turn, *more = fields
    rights, passing, halfmove, fullmove = (*more, *("-", "-", "0", "1")[len(more) :])[:4]
    board = Board(game, f"{placement} {turn} - - {halfmove} {fullmove}")
    known = game.start_fen.split()[2]
    kept = ""
    for right in known if known != "-" else "":
        if right in rights:
            try:
                board = Board(game, f"{placement} {turn} {kept}{right} - {halfmove} {fullmove}")
            except InvalidFenError:
                continue
            kept += right
    try:
        at = square_name(read_square(game, passing))
        return Board(game, f"{placement} {turn} {kept or '-'} {at} {halfmove} {fullmove}")
    except Error:
        return board
