"""Following a search in a thread, so that the notebook is not blocked."""

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
    """An engine: the built-in one or another program."""

    def play(self, board: Board, limit: Limit = ...) -> PlayResult:
        """Return the turn to play."""

    def stream(self, board: Board, limit: Limit = ..., *, multipv: int = ...) -> Analysis:
        """Search in the background."""

    def stop(self) -> None:
        """Stop the running search."""


class Search:
    """Follows a search: calls back with its lines, and then with its result. Each call includes this object."""

    def __init__(
        self,
        analysis: Analysis,
        on_lines: Callable[[Search, list[Info]], None],
        on_end: Callable[[Search, PlayResult | Exception], None],
    ) -> None:
        """Take a running search; there are no calls before :meth:`follow`."""
        self._analysis = analysis
        self._on_lines = on_lines
        self._on_end = on_end

    def follow(self) -> None:
        """Start to follow the search."""
        threading.Thread(target=self._follow, name="acedrex-widget", daemon=True).start()

    def _follow(self) -> None:
        result: PlayResult | Exception
        try:
            for infos in plain.rounds(self._analysis):
                self._on_lines(self, infos)
            result = self._analysis.wait()
        except Exception as error:  # shown on the page
            result = error
        self._on_end(self, result)

    def drop(self) -> None:
        """Stop the search; it may still call back, which the receiver must ignore."""
        self._analysis.stop()


def choose(engine: Player, board: Board, limit: Limit) -> Analysis:
    """Start to search for a turn.

    :raises Error: if the engine is closed or cannot start.
    """
    if getattr(engine, "level", None) in (None, max(ELO)):
        return engine.stream(board, limit)
    # Only `play` plays at a level.
    return Analysis(lambda _: engine.play(board, limit), engine.stop, lambda _: None)
