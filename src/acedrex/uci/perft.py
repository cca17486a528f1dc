"""Counting positions while lines are read."""

from __future__ import annotations

import threading
from collections.abc import Callable

from acedrex.board import Board

__all__ = ["Count"]

#: Plies that the core counts in one go; between them a stop is heard.
STRIDE = 2


class Count:
    """A count that goes on by itself: says how many positions there are behind every move, then how many in all."""

    def __init__(self, board: Board, depth: int, say: Callable[[str], None]) -> None:
        self._board = board.copy(stack=False)
        self._depth = depth
        self._say = say
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._divide, name="perft")
        self._thread.start()

    def finish(self) -> None:
        """Stop it if it goes on."""
        self._stopped.set()
        self._thread.join()

    def _divide(self) -> None:
        nodes = 0 if self._depth else 1
        for move in list(self._board.legal_moves) if self._depth else []:
            self._board.push(move)
            behind = self._count(self._depth - 1)
            self._board.pop()
            if self._stopped.is_set():
                return
            self._say(f"{move.uci()}: {behind}")
            nodes += behind
        self._say("")
        self._say(f"Nodes searched: {nodes}")

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
