"""Searching for a turn at full strength or at a level."""

from __future__ import annotations

from collections.abc import Sequence

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.analysis import Analysis, Report
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

    A level below full strength reports only its chosen turn; it takes little time and ignores the limit.
    """
    if level == FULL_LEVEL:
        return engine.stream(board, limit, multipv=multipv, root_moves=root_moves, ponder=ponder)
    engine.level = level
    board = board.copy()

    def play(report: Report) -> PlayResult:
        result = engine.play(board, root_moves=root_moves)
        if result.info is not None:
            report(result.info)
        return result

    return Analysis(play, engine.stop, lambda limit: None)
