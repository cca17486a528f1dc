"""Engines: the built-in engine, other programs, and the limits and results that they share.

>>> import acedrex
>>> board = acedrex.Board("chess")
>>> for move in ("f2f3", "e7e5", "g2g4"):
...     _ = board.push_uci(move)
>>> with acedrex.Engine() as engine:
...     engine.play(board, acedrex.Limit(depth=4)).move
Move.from_uci('d8h4')
"""

from __future__ import annotations

from acedrex.engine.analysis import Analysis
from acedrex.engine.client import EngineError, IllegalAnswerError, UciEngine
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, PlayResult, PovScore, Score, Wdl

__all__ = [
    "Analysis",
    "Engine",
    "EngineError",
    "IllegalAnswerError",
    "Info",
    "Limit",
    "PlayResult",
    "PovScore",
    "Score",
    "UciEngine",
    "Wdl",
]
