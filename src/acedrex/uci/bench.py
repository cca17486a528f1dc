"""A measure of the engine: how many positions it visits, and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable

from acedrex.board import Board
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.game import games

__all__ = ["bench"]


def bench(depth: int, say: Callable[[str], None]) -> None:
    """Search the start of every game to a depth with one thread, and say how many positions were visited."""
    nodes = 0
    start = time.perf_counter()
    with Engine(threads=1, hash_mb=16) as engine:
        for name in games():
            engine.clear()
            info = engine.play(Board(name), Limit(depth=depth)).info
            visited = info.nodes if info else 0
            say(f"{name}: {visited}")
            nodes += visited
    seconds = time.perf_counter() - start
    say("")
    say(f"Nodes searched: {nodes}")
    say(f"Nodes/second: {round(nodes / seconds)}")
