"""How work grows with what it is done on, whatever machine does it."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable
from typing import TypeVar

from acedrex import Board

T = TypeVar("T")


def growth(work: Callable[[T], object], small: T, large: T) -> float:
    """How many times longer the large thing takes: the best of three tries each, in processor time."""

    def least(thing: T) -> float:
        took = []
        for _ in range(3):
            began = time.process_time()
            work(thing)
            took.append(time.process_time() - began)
        return min(took)

    # A collection would look through all that other tests have left behind.
    gc.collect()
    gc.disable()
    try:
        return least(large) / least(small)
    finally:
        gc.enable()


def shuffled(game: str, turns: list[str], moves: int) -> Board:
    """A game in which some turns that come back to where they began are played until there are so many moves."""
    board = Board(game)
    for turn in itertools.cycle(turns):
        if board.ply() >= moves:
            return board
        board.push_turn(turn)
    raise AssertionError
