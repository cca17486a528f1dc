"""The kinds of pieces and the starting position of chess, by python-chess's names."""

from __future__ import annotations

__all__ = ["BISHOP", "KING", "KNIGHT", "PAWN", "QUEEN", "ROOK", "STARTING_BOARD_FEN", "STARTING_FEN"]

#: The letters of the kinds; other games have more kinds, and may have others under these letters.
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = "PNBRQK"
#: The pieces of chess at the start, as :meth:`acedrex.Board.board_fen` returns them.
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#: The starting position of chess; that of any game is ``game.start_fen``.
STARTING_FEN = f"{STARTING_BOARD_FEN} w KQkq - 0 1"
