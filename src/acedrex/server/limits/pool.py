"""Processes for long jobs, with lower priority and a fair queue, so that moves go first."""

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

from acedrex.server.limits.fair_queue import FairQueue
from acedrex.server.limits.visitor import Visitor

T = TypeVar("T")


def encoded(job: Callable[[], object]) -> bytes:
    """Run a job and encode its result as JSON, which the server receives more cheaply than the object."""
    return msgspec.json.encode(job())


def measured(job: Callable[[], T], clock: Callable[[], float]) -> tuple[T | Exception, float]:
    """Run a job, and return its result, or the error that it raised, with the seconds of a clock that it took."""
    began = clock()
    try:
        done: T | Exception = job()
    except Exception as error:
        done = error
    return done, clock() - began


class LateError(Exception):
    """A job took too long, or its process has died."""


class Pool:
    """Processes that each run one job at a time."""

    def __init__(
        self, processes: int, nice: int, timeout: float, most: int, most_address: int, most_person: int
    ) -> None:
        """Start without processes; each is started when it is needed.

        :param processes: the maximum number of processes.
        :param nice: their nice value.
        :param timeout: seconds that a job may run.
        :param most: the maximum number of jobs that wait or run.
        :param most_address: the same for one address.
        :param most_person: the same for one person.
        """
        self._nice, self._timeout = nice, timeout
        self._fair = FairQueue(processes, most, most_address, most_person)
        #: One executor per process, so that killing one job disturbs no other.
        self._executors: set[ProcessPoolExecutor] = set()
        self._idle: list[ProcessPoolExecutor] = []

    @property
    def total(self) -> int:
        """The number of jobs that wait or run."""
        return self._fair.total

    def of(self, address: str) -> int:
        """Return the number of jobs of an address that wait or run."""
        return self._fair.of(address)

    async def run(self, visitor: Visitor, job: Callable[[], T]) -> T:
        """Run a job in a process. The job and its result are pickled.

        :raises FullError: if the queue is full.
        :raises LateError: if the job takes too long, or its process dies.
        """
        await self._fair.enter(visitor)
        # If the caller is cancelled, the job keeps its place until the process is free again.
        return await asyncio.shield(asyncio.create_task(self._do(visitor, job)))

    async def _do(self, visitor: Visitor, job: Callable[[], T]) -> T:
        try:
            executor = self._idle.pop() if self._idle else self._start()
            try:
                done = await asyncio.wait_for(asyncio.wrap_future(executor.submit(job)), self._timeout)
            except (BrokenExecutor, TimeoutError):
                self._kill(executor)
                raise LateError from None
            except BaseException:
                self._idle.append(executor)
                raise
            self._idle.append(executor)
            return done
        finally:
            self._fair.leave(visitor)

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(1, mp_context=context, initializer=_init_process, initargs=(self._nice,))
        self._executors.add(executor)
        return executor

    def _kill(self, executor: ProcessPoolExecutor) -> None:
        self._executors.discard(executor)
        processes = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(ProcessLookupError):
                process.kill()

    def close(self) -> None:
        """End the processes."""
        self._idle.clear()
        for executor in list(self._executors):
            self._kill(executor)


def _init_process(nice: int) -> None:
    """Lower the priority of this process, and end it with the server."""
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
