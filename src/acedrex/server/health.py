"""Whether the server is well: the database is checked by a write, seldom enough that anyone may ask."""

from __future__ import annotations

import asyncio
import time

import structlog
from sqlalchemy import update

from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import beats

log = structlog.get_logger()

#: Seconds that a write may take, and for which its result is reused.
WRITE_TIMEOUT_S, CACHE_SECONDS = 3.0, 1.0
#: Seconds without a failed write after which the database counts as well again.
RECOVERY = 10.0
#: The test write, which changes nothing.
NO_CHANGE = update(beats).values(at=beats.c.at)


class Health:
    """Whether the database can be written, checked at most once a second, however many requests ask."""

    def __init__(self, store: Store) -> None:
        """Check the database of a store."""
        self._store = store
        self._checked_at = 0.0
        self._writing: asyncio.Task[bool] | None = None

    async def is_well(self) -> bool:
        """Return whether a write that takes the same path as moves succeeds in time."""
        if self._writing is None or (self._writing.done() and time.monotonic() - self._checked_at > CACHE_SECONDS):
            self._checked_at = time.monotonic()
            self._writing = asyncio.create_task(self._write())
        # A small write may still succeed on a disk that is too full for others.
        return await asyncio.shield(self._writing) and time.monotonic() - self._store.failed_at > RECOVERY

    async def _write(self) -> bool:
        # A cancelled writer still waits for its transaction, so the write runs in a task of its own.
        writing = asyncio.create_task(self._store.write((NO_CHANGE, {})))
        writing.add_done_callback(lambda done: done.cancelled() or done.exception())
        done, _ = await asyncio.wait([writing], timeout=WRITE_TIMEOUT_S)
        error = writing.exception() if done else TimeoutError()
        if error is not None:
            log.error("unhealthy", exc_info=error)
            return False
        return True
