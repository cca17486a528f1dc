"""The loop of work that is noted in the database: done at once where it was noted, and elsewhere within seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from acedrex.server.storage.store import BusyError

log = structlog.get_logger()


class Poll:
    """Looks for work every few seconds, and whenever it is woken."""

    def __init__(self, look: Callable[[], Awaitable[object]], pause: float, failure: str) -> None:
        """Start without looking.

        :param look: does what is noted, or a portion of it; true if there may be more.
        :param pause: the seconds until the next look.
        :param failure: what the log calls a fault in it, after which it goes on.
        """
        self._look, self._pause, self._failure = look, pause, failure
        self._has_more = asyncio.Event()

    def wake(self) -> None:
        """Look at once."""
        self._has_more.set()

    async def run_forever(self) -> None:
        """Look, forever."""
        while True:
            self._has_more.clear()
            try:
                while await self._look():
                    pass
            except BusyError:
                pass  # The database is down: the next look finds the same.
            except Exception as error:
                log.error(self._failure, exc_info=error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_more.wait(), self._pause)
