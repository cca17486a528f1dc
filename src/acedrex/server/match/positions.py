"""Positions as messages to browsers, from :mod:`acedrex.plain`."""

from __future__ import annotations

from typing import cast

from msgspec import Raw

from acedrex import Board, parse_square, plain
from acedrex.game import Game, Piece
from acedrex.server import wire


def position(board: Board, last: list[str] | None, *, legal: bool) -> wire.Position:
    """Return a position, with its legal moves only if requested, since they are most of the work.

    :param last: the squares that the last move touched; by default as the board knows them.

    The core writes it as JSON, so the result can only be put into a message; it has no attributes.
    """
    return cast(wire.Position, Raw(plain.position_json(board, last, legal=legal)))


def played(game: Game, fen: str | None, moves: list[str]) -> Board:
    """Return a board after some moves from a FEN, by default from the start.

    :raises acedrex.Error: if the FEN is not a position of the game, or a move is not legal.
    """
    board = Board(game, fen)
    for text in moves:
        board.push(board.parse_uci(text))
    return board


def after(game: Game, fen: str | None, moves: list[str]) -> wire.Position:
    """Return the position after some moves from a FEN, by default from the start.

    :raises acedrex.Error: if the FEN is not a position of the game, or a move is not legal.
    """
    return position(played(game, fen, moves), None, legal=True)


def idle(game: Game, request: wire.SquareRequest) -> wire.Idle:
    """Say why the piece on a square has no legal move.

    :raises acedrex.Error: if the FEN is not a position of the game, or there is no such square.
    """
    return wire.Idle(Board(game, request.fen).why_idle(parse_square(request.square)))


def reach(game: Game, request: wire.ReachRequest) -> list[wire.Reach]:
    """List the squares that a piece reaches by its way of moving.

    :raises acedrex.Error: if the FEN cannot be read, or the game has no such square or piece.
    """
    square = parse_square(request.square)
    if request.alone is not None:
        return plain.reaches_alone(game, Piece.from_symbol(request.alone), square)
    board = Board(game)
    # Diagrams have no Kings.
    board.set_fen(request.fen, playable=False)
    return plain.premoves(board, square) if request.premove else plain.reaches(board, square)
