"""A search that is followed in a thread, so that a notebook waits for nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from acedrex import plain
from acedrex.board import Board
from acedrex.engine import Analysis, Info, Limit, PlayResult
from acedrex.engine.strength import ELO

__all__ = ["Player", "Search", "choose"]


class Player(Protocol):
    """An engine, ours or another program's."""

    def play(self, board: Board, limit: Limit = ...) -> PlayResult:
        """Choose a turn."""

    def stream(self, board: Board, limit: Limit = ..., *, multipv: int = ...) -> Analysis:
        """Search in the background."""

    def stop(self) -> None:
        """End the search under way."""


class Search:
    """Tells lines as they come and then the end, each with itself, so that the hearer knows which search speaks."""

    def __init__(
        self,
        analysis: Analysis,
        told: Callable[[Search, list[Info]], None],
        ended: Callable[[Search, PlayResult | Exception], None],
    ) -> None:
        """Take a search that has begun; nothing is told before :meth:`follow`."""
        self._analysis = analysis
        self._told = told
        self._ended = ended

    def follow(self) -> None:
        """Begin to tell."""
        threading.Thread(target=self._follow, name="acedrex-widget", daemon=True).start()

    def _follow(self) -> None:
        result: PlayResult | Exception
        try:
            for infos in plain.rounds(self._analysis):
                self._told(self, infos)
            result = self._analysis.wait()
        except Exception as error:  # told on the page
            result = error
        self._ended(self, result)

    def drop(self) -> None:
        """End the search; what it still tells is told all the same, and the hearer leaves it aside."""
        self._analysis.stop()


def choose(engine: Player, board: Board, limit: Limit) -> Analysis:
    """Begin to choose a turn.

    :raises Error: if the engine is closed or cannot begin.
    """
    if getattr(engine, "level", None) in (None, max(ELO)):
        return engine.stream(board, limit)
    # Only `play` is as weak as a level.
    return Analysis(lambda _: engine.play(board, limit), engine.stop, lambda _: None)
