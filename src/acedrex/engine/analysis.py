"""A search under way: its lines as they come, and its end."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Self

from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, PlayResult

#: What a search is given to tell its lines with.
Tell = Callable[[Info], None]


class Analysis:
    """A search that runs in a thread of its own. Iterate over it for its lines, then :meth:`wait` for the turn.

    >>> import acedrex
    >>> with acedrex.Engine() as engine, engine.stream(acedrex.Board("magi"), acedrex.Limit(depth=3)) as analysis:
    ...     [info.depth for info in analysis]
    [1, 2, 3]
    """

    def __init__(
        self, search: Callable[[Tell], PlayResult], stop: Callable[[], None], ponder_hit: Callable[[Limit], None]
    ) -> None:
        """Begin to search; :meth:`acedrex.Engine.stream` does this."""
        self._lines: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._stop = stop
        self._ponder_hit = ponder_hit
        self._result: PlayResult | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(search,), name="acedrex-search", daemon=True)
        self._thread.start()

    def _run(self, search: Callable[[Tell], PlayResult]) -> None:
        try:
            self._result = search(self._lines.put)
        except BaseException as error:  # told to whoever waits
            self._error = error
        finally:
            self._lines.put(None)

    def stop(self) -> None:
        """End the search; what it has found so far is its result."""
        self._stop()

    def ponder_hit(self, limit: Limit) -> None:
        """Tell a search that ponders that the expected turn was played: from now on the limit counts."""
        self._ponder_hit(limit)

    def wait(self) -> PlayResult:
        """Wait for the end.

        :raises Error: if the search could not be made.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    async def wait_async(self) -> PlayResult:
        """Wait for the end without holding up the event loop; cancelled, the search is stopped."""
        try:
            return await asyncio.to_thread(self.wait)
        except asyncio.CancelledError:
            self.stop()
            raise

    def __iter__(self) -> Iterator[Info]:
        """Return the lines as they come, to the end of the search."""
        while (info := self._lines.get()) is not None:
            yield info
        self._lines.put(None)

    async def __aiter__(self) -> AsyncIterator[Info]:
        """Return the lines as they come, to the end of the search."""
        try:
            while (info := await asyncio.to_thread(self._lines.get)) is not None:
                yield info
        finally:
            self.stop()
        self._lines.put(None)

    def __enter__(self) -> Self:
        """Stop the search when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the search."""
        self.stop()
        self._thread.join()
