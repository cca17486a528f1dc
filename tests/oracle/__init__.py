"""A slow and plain implementation of the five games, to judge the fast one by.

Written from the rules alone: every ply is made on a copy of the board, and then
it is asked whether the King could be taken.
"""

from .games import GAMES, read_options, start_fen
from .position import Position, perft
from .starts import rank, setup_fen, setups, unrank

__all__ = [
    "GAMES",
    "Position",
    "perft",
    "rank",
    "read_options",
    "setup_fen",
    "setups",
    "start_fen",
    "unrank",
]
