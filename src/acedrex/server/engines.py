"""Engines in processes of their own, of lower priority, with a bounded queue: however many ask, plies go first."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

from acedrex import Board, Engine, Limit
from acedrex.game import Game

T = TypeVar("T")

#: Most jobs that wait or run, in all and for one visitor.
MOST = 200
MOST_EACH = 3
#: Seconds that a job may think, and that it may take with everything.
DEADLINE = 10.0
PATIENCE = 30.0
NICE = 10
#: Setups that the engine compares when it chooses one, and positions that it visits for each.
SETUPS, SETUP_NODES = 16, 3_000


class EngineBusyError(Exception):
    """Too many are asking."""


class Engines:
    """Some processes that think."""

    def __init__(self, processes: int) -> None:
        """Say how many; they begin when they are needed."""
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._visitors: Counter[str] = Counter()
        self._free = asyncio.Semaphore(processes)

    @property
    def waiting(self) -> int:
        """How many jobs wait or run."""
        return self._visitors.total()

    async def turn(self, visitor: str, board: Board, level: int, limit: Limit) -> list[str]:
        """Let a level of the engine choose a turn: its plies.

        :raises EngineBusyError: if too many are asking.
        """
        return await self._run(visitor, partial(_turn, board, level, limit))

    async def setup(self, visitor: str, game: Game) -> str:
        """Let the engine choose a setup for Black.

        :raises EngineBusyError: if too many are asking.
        """
        return await self._run(visitor, partial(_setup, game))

    async def _run(self, visitor: str, job: Callable[[], T]) -> T:
        if self.waiting >= MOST or self._visitors[visitor] >= MOST_EACH:
            raise EngineBusyError
        self._visitors[visitor] += 1
        try:
            async with self._free:
                return await self._think(job)
        finally:
            self._visitors[visitor] -= 1
            self._visitors += Counter()

    async def _think(self, job: Callable[[], T]) -> T:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=_begin)
        pool = self._pool
        try:
            return await asyncio.wait_for(asyncio.wrap_future(pool.submit(job)), PATIENCE)
        except (BrokenExecutor, TimeoutError):
            # A process has died or does not come back: begin with new ones.
            if self._pool is pool:
                self.close()
            raise EngineBusyError from None

    def close(self) -> None:
        """End the processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with suppress(ProcessLookupError):
                    process.kill()


def _begin() -> None:
    """Give way to the server, and do not outlive it."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _turn(board: Board, level: int, limit: Limit) -> list[str]:
    with Engine(hash_mb=16, level=level) as engine:
        timer = threading.Timer(DEADLINE, engine.stop)
        timer.start()
        try:
            return [move.uci() for move in engine.play(board, limit).plies]
        finally:
            timer.cancel()


def _setup(game: Game) -> str:
    """Look briefly at some setups and take the one that White likes least."""
    numbers = random.sample(range(len(game.setups)), min(SETUPS, len(game.setups)))

    def score(engine: Engine, name: str) -> int:
        engine.clear()
        (info,) = engine.analyse(Board(game, setup=name), Limit(nodes=SETUP_NODES, time=0.5))
        return info.score.cp if info.score.cp is not None else 10_000 * (1 if (info.score.mate or 0) > 0 else -1)

    with Engine(hash_mb=16) as engine:
        return min((game.setups[number] for number in numbers), key=lambda name: score(engine, name))
