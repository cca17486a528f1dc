"""The kinds of pieces and the starting position of chess, by python-chess's names."""

from __future__ import annotations

__all__ = ["BISHOP", "KING", "KNIGHT", "PAWN", "QUEEN", "ROOK", "STARTING_BOARD_FEN", "STARTING_FEN"]

#: The letter of the Pawn. Other games have more kinds, and may have others under these letters.
PAWN = "P"
#: The letter of the Knight.
KNIGHT = "N"
#: The letter of the Bishop.
BISHOP = "B"
#: The letter of the Rook.
ROOK = "R"
#: The letter of the Queen.
QUEEN = "Q"
#: The letter of the King.
KING = "K"
#: The pieces of chess at the start, as :meth:`acedrex.Board.board_fen` returns them.
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#: The starting position of chess; that of any game is ``game.start_fen``.
STARTING_FEN = f"{STARTING_BOARD_FEN} w KQkq - 0 1"
