"""Looking for a turn, at full strength or as a level plays."""

from __future__ import annotations

from collections.abc import Sequence

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.analysis import Analysis, Tell
from acedrex.engine.engine import FULL_LEVEL, Engine
from acedrex.engine.limit import Limit
from acedrex.engine.result import PlayResult

__all__ = ["think"]


def think(
    engine: Engine,
    level: int,
    board: Board,
    limit: Limit,
    *,
    multipv: int = 1,
    root_moves: Sequence[Move] = (),
    ponder: bool = False,
) -> Analysis:
    """Search in the background.

    A level below full strength tells nothing but what it has chosen; it takes a moment, whatever the limit is.
    """
    if level == FULL_LEVEL:
        return engine.stream(board, limit, multipv=multipv, root_moves=root_moves, ponder=ponder)
    engine.level = level
    board = board.copy()

    def play(tell: Tell) -> PlayResult:
        result = engine.play(board, root_moves=root_moves)
        if result.info is not None:
            tell(result.info)
        return result

    return Analysis(play, engine.stop, lambda limit: None)
