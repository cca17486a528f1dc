"""Chess on large boards: five games and any other that a definition file describes.

>>> import acedrex
>>> board = acedrex.Board("metamachy")
>>> board.push_san("Nd4")
Move.from_uci('c2d4')
"""

from __future__ import annotations

from acedrex._native import LegalMoves, Move, SquareSet
from acedrex.board import BLACK, WHITE, Board, MoveInfo, Playout, Problem
from acedrex.engine import Analysis, Engine, Info, Limit, PlayResult, PovScore, Score, Wdl
from acedrex.errors import (
    AmbiguousMoveError,
    DefinitionError,
    Error,
    IllegalMoveError,
    InvalidFenError,
    InvalidMoveError,
)
from acedrex.game import Diagram, Fault, Game, Option, Piece, PieceType, Reach, check, games, languages, load
from acedrex.orthodox import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, STARTING_BOARD_FEN, STARTING_FEN
from acedrex.outcome import Outcome, Termination
from acedrex.pseudo_legal import PseudoLegalMoves
from acedrex.setups import Setups
from acedrex.squares import (
    SQUARE_NAMES,
    SQUARES,
    between,
    parse_square,
    ray,
    square,
    square_distance,
    square_file,
    square_mirror,
    square_name,
    square_rank,
)

#: The version of this package; docs/maintaining/releasing.md says what the numbers promise.
__version__ = "0.1.0"

__all__ = [
    "BISHOP",
    "BLACK",
    "KING",
    "KNIGHT",
    "PAWN",
    "QUEEN",
    "ROOK",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_BOARD_FEN",
    "STARTING_FEN",
    "WHITE",
    "AmbiguousMoveError",
    "Analysis",
    "Board",
    "DefinitionError",
    "Diagram",
    "Engine",
    "Error",
    "Fault",
    "Game",
    "IllegalMoveError",
    "Info",
    "InvalidFenError",
    "InvalidMoveError",
    "LegalMoves",
    "Limit",
    "Move",
    "MoveInfo",
    "Option",
    "Outcome",
    "Piece",
    "PieceType",
    "PlayResult",
    "Playout",
    "PovScore",
    "Problem",
    "PseudoLegalMoves",
    "Reach",
    "Score",
    "Setups",
    "SquareSet",
    "Termination",
    "Wdl",
    "__version__",
    "between",
    "check",
    "games",
    "languages",
    "load",
    "parse_square",
    "ray",
    "square",
    "square_distance",
    "square_file",
    "square_mirror",
    "square_name",
    "square_rank",
]
