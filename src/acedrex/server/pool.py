"""Processes that do what takes long, of lower priority and behind a fair queue, so that moves go first."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from typing import TypeVar

import msgspec

from acedrex.server.fair import FairQueue
from acedrex.server.visitor import Visitor

T = TypeVar("T")


def encoded(job: Callable[[], object]) -> bytes:
    """Do a job and write what it gives as JSON, which costs the server less to take in than what it stands for."""
    return msgspec.json.encode(job())


class LateError(Exception):
    """A job took too long, or its process has died."""


class Pool:
    """Some processes, each of which does one job at a time."""

    def __init__(
        self, processes: int, nice: int, patience: float, most: int, most_address: int, most_person: int
    ) -> None:
        """Say how many processes, which begin when they are needed, and how far they give way to others.

        :param patience: seconds that a job may take once it has a process.
        :param most: how many jobs may wait or run in all, and then of an address and of a person.
        """
        self._nice, self._patience = nice, patience
        self._fair = FairQueue(processes, most, most_address, most_person)
        #: One executor a process, so that ending a job disturbs no other.
        self._begun: set[ProcessPoolExecutor] = set()
        self._idle: list[ProcessPoolExecutor] = []

    @property
    def total(self) -> int:
        """How many jobs wait or run."""
        return self._fair.total

    def of(self, address: str) -> int:
        """Tell how many jobs of an address wait or run."""
        return self._fair.of(address)

    async def run(self, visitor: Visitor, job: Callable[[], T]) -> T:
        """Let a process do a job, which is sent to it, as what it gives is sent back.

        :raises FullError: if too many wait.
        :raises LateError: if it takes too long, or its process dies.
        """
        await self._fair.enter(visitor)
        # Whoever is stopped meanwhile leaves: the job keeps its place until the process is free again.
        return await asyncio.shield(asyncio.create_task(self._do(visitor, job)))

    async def _do(self, visitor: Visitor, job: Callable[[], T]) -> T:
        try:
            executor = self._idle.pop() if self._idle else self._begin()
            try:
                done = await asyncio.wait_for(asyncio.wrap_future(executor.submit(job)), self._patience)
            except (BrokenExecutor, TimeoutError):
                self._end(executor)
                raise LateError from None
            except BaseException:
                self._idle.append(executor)
                raise
            self._idle.append(executor)
            return done
        finally:
            self._fair.leave(visitor)

    def _begin(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(1, mp_context=context, initializer=_give_way, initargs=(self._nice,))
        self._begun.add(executor)
        return executor

    def _end(self, executor: ProcessPoolExecutor) -> None:
        self._begun.discard(executor)
        processes = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(ProcessLookupError):
                process.kill()

    def close(self) -> None:
        """End the processes."""
        self._idle.clear()
        for executor in list(self._begun):
            self._end(executor)


def _give_way(nice: int) -> None:
    """Give way to the server, and do not outlive it."""
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
