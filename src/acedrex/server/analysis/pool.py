"""Analysts: processes that analyse positions for people and jobs, apart from those that play matches.

As with hints the queue is bounded, addresses take turns, and a search ends early if others wait.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import msgspec
import structlog
from msgspec import Struct

from acedrex import Board, Limit
from acedrex.limits import ANALYSIS_THINKING
from acedrex.server import wire
from acedrex.server.limits.fair_queue import FairQueue, FullError
from acedrex.server.limits.visitor import Visitor
from acedrex.server.metrics import SEARCHES
from acedrex.server.play.engines import MAX_JOBS, MAX_JOBS_OF_ADDRESS, MAX_JOBS_OF_PERSON, EngineBusyError

log = structlog.get_logger()

#: Seconds that a search may take, and that it may take while others wait.
LONGEST, SHARE = ANALYSIS_THINKING / 1000, 4.0
#: Seconds that a process may take to end a search after it was stopped or ran out of time: on a busy machine some,
#: since it gives way to all others, and to start another costs more.
GRACE = 30.0
#: The maximum number of bytes of a line of output of a process.
MAX_LINE = 256 * 1024


#: The visitor for what is analysed only while nobody else uses the analysts, and seconds within which it gives way.
IDLE, IDLE_LOOK = Visitor("idle"), 0.05


class SearchFailedError(EngineBusyError):
    """A search ended without a result: its process died, or did not answer."""


class Search(Struct):
    """A search: the number by which it can be stopped, the position with its history, lines, and limit."""

    number: int
    board: Board
    lines: int
    limit: Limit


class SearchReport(Struct):
    """The state of a search."""

    number: int
    depth: int = 0
    nodes: int = 0
    nps: int = 0
    lines: list[wire.Line] = []
    done: bool = False


class Analyst:
    """One process, which analyses one position at a time."""

    def __init__(self) -> None:
        """Start without a process; the first search starts it."""
        self._process: asyncio.subprocess.Process | None = None
        self._number = 0
        self._is_searching = False

    async def begin(self, board: Board, lines: int, limit: Limit) -> None:
        """Start a search."""
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = (sys.executable, "-m", "acedrex.server.analysis.worker")
            self._process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=MAX_LINE)
        self._number += 1
        self._is_searching = True
        self._send(Search(self._number, board, lines, limit))

    def _send(self, message: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(pickle.dumps(message))

    async def receive(self) -> SearchReport:
        """Wait for the next report of the search.

        :raises SearchFailedError: if the process has died.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                raise SearchFailedError
            report = msgspec.json.decode(line, type=SearchReport)
            if report.number == self._number:
                self._is_searching = not report.done
                return report

    async def settle(self) -> None:
        """Stop the current search, if any, and wait for its end; a process that does not end it is killed."""
        if not self._is_searching:
            return
        self._send(self._number)
        try:
            async with asyncio.timeout(GRACE):
                while not (await self.receive()).done:
                    pass
        except (SearchFailedError, TimeoutError):
            await self.end()

    async def end(self) -> None:
        """Kill the process."""
        process, self._process, self._is_searching = self._process, None, False
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Analysts:
    """Processes that analyse, and a queue for them."""

    def __init__(self, processes: int) -> None:
        """Prepare a number of processes, each of which is started when it is needed."""
        self.processes = processes
        self._analysts = [Analyst() for _ in range(processes)]
        self._free = list(self._analysts)
        self._fair = FairQueue(processes, MAX_JOBS, MAX_JOBS_OF_ADDRESS, MAX_JOBS_OF_PERSON)
        self._settling: set[asyncio.Task[None]] = set()

    async def analyse(self, visitor: Visitor, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        """Analyse a position and yield reports, the deepest last. Close the iterator to stop the search.

        :raises EngineBusyError: if the queue is full.
        :raises SearchFailedError: if the process has died.
        """
        with SEARCHES.track_inprogress():
            try:
                await self._fair.enter(visitor)
            except FullError:
                raise EngineBusyError from None
            analyst = self._free.pop()
            try:
                searching = self._search(analyst, board, lines, limit, idle=visitor == IDLE)
                async with aclosing(searching) as search:
                    async for report in search:
                        yield report
            finally:
                # The caller need not wait until the process has ended the search.
                task = asyncio.create_task(self._give_back(analyst, visitor))
                self._settling.add(task)
                task.add_done_callback(self._settling.discard)

    async def analyse_idly(self, board: Board, lines: int, limit: Limit) -> SearchReport | None:
        """Analyse a position while nobody else uses the analysts, and return the deepest report.

        ``None`` if somebody does, or has come meanwhile: the search ends then.

        :raises SearchFailedError: if the process has died.
        """
        if self._others:
            return None
        report = None
        async with aclosing(self.analyse(IDLE, board, lines, limit)) as search:
            async for latest in search:
                report = latest
        return None if self._others else report

    @property
    def _others(self) -> int:
        """The number of searches that run or wait, without those for idle time."""
        return self._fair.total - self._fair.of(IDLE.address)

    async def _search(
        self, analyst: Analyst, board: Board, lines: int, limit: Limit, *, idle: bool
    ) -> AsyncGenerator[SearchReport]:
        began = time.monotonic()
        await analyst.begin(board, lines, limit)
        receiving = asyncio.ensure_future(analyst.receive())
        try:
            while True:
                done, _ = await asyncio.wait([receiving], timeout=IDLE_LOOK if idle else 0.5)
                spent = time.monotonic() - began
                if done:
                    report = receiving.result()
                    if report.done:
                        return
                    yield report
                    receiving = asyncio.ensure_future(analyst.receive())
                if idle and self._others:
                    return
                if (spent > SHARE and self._fair.waiting) or spent > LONGEST + GRACE:
                    return
        finally:
            receiving.cancel()
            # Unlike suppressing its cancellation, this lets one of the caller through.
            await asyncio.gather(receiving, return_exceptions=True)

    async def _give_back(self, analyst: Analyst, visitor: Visitor) -> None:
        try:
            await analyst.settle()
        except Exception as error:
            log.error("analyst_failed", exc_info=error)
            await analyst.end()
        finally:
            self._free.append(analyst)
            self._fair.leave(visitor)

    async def close(self) -> None:
        """Kill the processes."""
        for task in self._settling:
            task.cancel()
        for analyst in self._analysts:
            await analyst.end()
