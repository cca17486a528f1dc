"""Perft in the background, while commands are read."""

from __future__ import annotations

import threading
from collections.abc import Callable

from acedrex.board import Board

__all__ = ["Count"]

#: The depth that the core counts without interruption; above it a stop is noticed.
STRIDE = 2


class Count:
    """A perft in its own thread: writes the number of positions after each move, then the total."""

    def __init__(self, board: Board, depth: int, write: Callable[[str], None]) -> None:
        self._board = board.copy(stack=False)
        self._depth = depth
        self._write = write
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._divide, name="perft")
        self._thread.start()

    def finish(self) -> None:
        """Stop the count if it is still running."""
        self._stopped.set()
        self._thread.join()

    def _divide(self) -> None:
        nodes = 0 if self._depth else 1
        for move in list(self._board.legal_moves) if self._depth else []:
            self._board.push(move)
            count = self._count(self._depth - 1)
            self._board.pop()
            if self._stopped.is_set():
                return
            self._write(f"{move.uci()}: {count}")
            nodes += count
        self._write("")
        self._write(f"Nodes searched: {nodes}")

    def _count(self, depth: int) -> int:
        if depth <= STRIDE:
            return self._board.perft(depth)
        nodes = 0
        for move in list(self._board.legal_moves):
            if self._stopped.is_set():
                break
            self._board.push(move)
            nodes += self._count(depth - 1)
            self._board.pop()
        return nodes
