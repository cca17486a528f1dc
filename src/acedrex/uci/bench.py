"""The bench: a number of nodes that changes if, and only if, the play of the engine changes."""

from __future__ import annotations

import time
from collections.abc import Callable

from acedrex.board import Board
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.game import games

__all__ = ["bench"]

#: The number of searches per game, and the turns between them.
SEARCHES, BETWEEN = 5, 4
#: The depth in half-moves, or in turns where a turn has several moves.
DEPTH, TURN_DEPTH = 7, 2


def bench(write: Callable[[str], None]) -> None:
    """Search some positions of every shipped game, as the bench of the core does, and write the number of nodes."""
    nodes = 0
    start = time.perf_counter()
    for name in games():
        board = Board(name)
        depth = TURN_DEPTH if board.game.turns_of_several_moves and not board.game.has_check else DEPTH
        with Engine(threads=1, hash_mb=16) as engine:
            for turn in range(SEARCHES * (1 + BETWEEN)):
                measured = turn % (1 + BETWEEN) == 0
                result = engine.play(board, Limit(depth=depth if measured else 1))
                nodes += result.info.nodes if measured and result.info else 0
                for move in result.moves:
                    board.push(move)
        write(f"{name}: {nodes}")
    seconds = time.perf_counter() - start
    write("")
    write(f"Nodes searched: {nodes}")
    write(f"Nodes/second: {round(nodes / seconds)}")
