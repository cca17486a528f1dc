"""Analysts: processes that look at positions for people and for jobs, apart from those that play matches.

As with hints the queue is bounded, each address has its turn, and a search that others wait for ends early.
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
from acedrex.server import wire
from acedrex.server.engines import MOST, MOST_ADDRESS, MOST_PERSON, EngineBusyError
from acedrex.server.fair import FairQueue, FullError
from acedrex.server.metrics import SEARCHES
from acedrex.server.visitor import Visitor

log = structlog.get_logger()

#: Seconds that a search may last, and that it may while others wait.
LONGEST, SHARE = 30.0, 4.0
#: Seconds that a process may take to answer when its time is over or it was stopped.
GRACE = 5.0
#: Most bytes of a line that a process tells.
MOST_BYTES = 256 * 1024


class Search(Struct):
    """What is looked at: the number by which it can be stopped, the position with its history, how many lines."""

    number: int
    board: Board
    lines: int
    limit: Limit


class SearchReport(Struct):
    """How far a search has come."""

    number: int
    depth: int = 0
    nodes: int = 0
    nps: int = 0
    lines: list[wire.Line] = []
    done: bool = False


class Analyst:
    """One process, which looks at one position at a time."""

    def __init__(self) -> None:
        """Begin without a process; the first search starts it."""
        self._process: asyncio.subprocess.Process | None = None
        self._number = 0
        self._searches = False

    async def begin(self, board: Board, lines: int, limit: Limit) -> None:
        """Begin to look."""
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            words = (sys.executable, "-m", "acedrex.server.analyst")
            self._process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=MOST_BYTES)
        self._number += 1
        self._searches = True
        self._say(Search(self._number, board, lines, limit))

    def _say(self, what: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(pickle.dumps(what))

    async def hear(self) -> SearchReport:
        """Hear the next of the search.

        :raises EngineBusyError: if the process has died.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                raise EngineBusyError
            told = msgspec.json.decode(line, type=SearchReport)
            if told.number == self._number:
                self._searches = not told.done
                return told

    async def settle(self) -> None:
        """Stop the search, if it is under way, and hear its end; a process that does not end it is killed."""
        if not self._searches:
            return
        self._say(self._number)
        try:
            async with asyncio.timeout(GRACE):
                while not (await self.hear()).done:
                    pass
        except (EngineBusyError, TimeoutError):
            await self.end()

    async def end(self) -> None:
        """End the process."""
        process, self._process, self._searches = self._process, None, False
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Analysts:
    """Some processes, and those who wait for one."""

    def __init__(self, processes: int) -> None:
        """Say how many; they begin when they are needed."""
        self.processes = processes
        self._analysts = [Analyst() for _ in range(processes)]
        self._free = list(self._analysts)
        self._fair = FairQueue(processes, MOST, MOST_ADDRESS, MOST_PERSON)
        self._settling: set[asyncio.Task[None]] = set()

    async def look(self, visitor: Visitor, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        """Look at a position and tell what is found, the deepest last. Close the iterator to look no further.

        :raises EngineBusyError: if too many are asking, or the process has died.
        """
        with SEARCHES.track_inprogress():
            try:
                await self._fair.enter(visitor)
            except FullError:
                raise EngineBusyError from None
            analyst = self._free.pop()
            try:
                async with aclosing(self._searched(analyst, board, lines, limit)) as search:
                    async for told in search:
                        yield told
            finally:
                # Whoever has left need not wait until the process has noticed.
                task = asyncio.create_task(self._give_back(analyst, visitor))
                self._settling.add(task)
                task.add_done_callback(self._settling.discard)

    async def _searched(self, analyst: Analyst, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        began = time.monotonic()
        await analyst.begin(board, lines, limit)
        hearing = asyncio.ensure_future(analyst.hear())
        try:
            while True:
                done, _ = await asyncio.wait([hearing], timeout=0.5)
                spent = time.monotonic() - began
                if done:
                    told = hearing.result()
                    if told.done:
                        return
                    yield told
                    hearing = asyncio.ensure_future(analyst.hear())
                if (spent > SHARE and self._fair.waiting) or spent > LONGEST + GRACE:
                    return
        finally:
            hearing.cancel()
            with suppress(asyncio.CancelledError, EngineBusyError):
                await hearing

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
        """End the processes."""
        for task in self._settling:
            task.cancel()
        for analyst in self._analysts:
            await analyst.end()
