"""A running search: its lines as they are found, and its result."""

from __future__ import annotations

import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Self

from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, PlayResult

#: The function to which a search reports its lines.
Report = Callable[[Info], None]


class Analysis:
    """A search that runs in its own thread. Iterate over it for its lines, then :meth:`wait` for the turn.

    >>> import acedrex
    >>> with acedrex.Engine() as engine, engine.stream(acedrex.Board("magi"), acedrex.Limit(depth=3)) as analysis:
    ...     [info.depth for info in analysis]
    [1, 2, 3]
    """

    def __init__(
        self, search: Callable[[Report], PlayResult], stop: Callable[[], None], ponder_hit: Callable[[Limit], None]
    ) -> None:
        """Start the search. Use :meth:`acedrex.Engine.stream` to create one."""
        self._lines: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._stop = stop
        self._ponder_hit = ponder_hit
        self._result: PlayResult | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(search,), name="acedrex-search", daemon=True)
        self._thread.start()

    def _run(self, search: Callable[[Report], PlayResult]) -> None:
        try:
            self._result = search(self._lines.put)
        except BaseException as error:  # raised by wait()
            self._error = error
        finally:
            self._lines.put(None)

    def stop(self) -> None:
        """Stop the search; its result is what it has found so far."""
        self._stop()

    def ponder_hit(self, limit: Limit) -> None:
        """Continue a pondering search after the expected turn was played; the limit counts from now on."""
        self._ponder_hit(limit)

    def wait(self) -> PlayResult:
        """Wait for the end of the search and return its result.

        :raises Error: if the search failed.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    async def wait_async(self) -> PlayResult:
        """Do as :meth:`wait` without blocking the event loop; cancelling it stops the search."""
        import asyncio

        try:
            return await asyncio.to_thread(self.wait)
        except asyncio.CancelledError:
            self.stop()
            raise

    def __iter__(self) -> Iterator[Info]:
        """Yield the lines as they are found, until the search ends."""
        while (info := self._next()) is not None:
            yield info

    async def __aiter__(self) -> AsyncIterator[Info]:
        """Yield the lines as they are found, until the search ends."""
        import asyncio

        try:
            while (info := await asyncio.to_thread(self._next)) is not None:
                yield info
        finally:
            self.stop()

    def _next(self) -> Info | None:
        """Wait for a line; ``None`` at the end."""
        info = self._lines.get()
        if info is None:  # others, too, may wait for the end: a thread goes on waiting after its task was cancelled
            self._lines.put(None)
        return info

    def __enter__(self) -> Self:
        """Stop the search when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the search and wait for its end."""
        self.stop()
        self._thread.join()
