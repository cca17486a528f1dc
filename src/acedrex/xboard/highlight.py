"""Showing where a piece can go: the engine knows the rules, XBoard has the mouse."""

from __future__ import annotations

from acedrex.board import Board

__all__ = ["choice", "colors"]

#: XBoard's colours by what a move does; where a piece is to be chosen, XBoard asks for it.
PROMOTION, CAPTURE, STEP, NOTHING = "M", "R", "Y", "1"


def colors(board: Board, origin: int) -> str:
    """Colour the squares that the piece on a square can go to, in a text like the first field of a FEN."""
    marks: dict[int, str] = {}
    for move in board.legal_moves:
        if move.from_square == origin:
            captures = board.is_capture(move)
            marks[move.to_square] = PROMOTION if move.promotion else CAPTURE if captures else STEP
    game = board.game
    return "/".join(
        "".join(marks.get(rank * 16 + file, NOTHING) for file in range(game.files))
        for rank in reversed(range(game.ranks))
    )


def choice(board: Board, origin: int, target: int) -> str:
    """List what the piece may become on the target square; empty if nothing."""
    return "".join(
        move.promotion
        for move in board.legal_moves
        if move.promotion and (move.from_square, move.to_square) == (origin, target)
    )
