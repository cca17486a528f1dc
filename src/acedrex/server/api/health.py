"""How the server is doing, for programs that look after it."""

from __future__ import annotations

import asyncio
import functools
import time
from typing import Annotated

import structlog
from fastapi import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import update

from acedrex.server.api.routes import Routes
from acedrex.server.api.services import Served
from acedrex.server.decide import Refusal
from acedrex.server.store import Store
from acedrex.server.tables import beats

log = structlog.get_logger()
router = Routes("", "health")

#: Seconds that a write may take, and that what came of it is told again.
PATIENCE, KEPT = 3.0, 1.0
#: What is written: it changes nothing.
SAME = update(beats).values(at=beats.c.at)


class Health:
    """Whether the database can be written, asked once a second at most, however many want to know."""

    def __init__(self, store: Store) -> None:
        """Say which database."""
        self._store = store
        self._asked = 0.0
        self._writing: asyncio.Task[bool] | None = None

    async def is_well(self) -> bool:
        """Tell whether a write goes the way that moves go, and comes back in time."""
        if self._writing is None or (self._writing.done() and time.monotonic() - self._asked > KEPT):
            self._asked = time.monotonic()
            self._writing = asyncio.create_task(self._write())
        return await asyncio.shield(self._writing)

    async def _write(self) -> bool:
        # Whoever writes waits for what is under way, also when they are told to stop: so it is left to itself.
        writing = asyncio.create_task(self._store.write((SAME, {})))
        writing.add_done_callback(lambda done: done.cancelled() or done.exception())
        done, _ = await asyncio.wait([writing], timeout=PATIENCE)
        error = writing.exception() if done else TimeoutError()
        if error is not None:
            log.error("unhealthy", exc_info=error)
            return False
        return True


@router.get("/healthz")
async def healthz(services: Served) -> Annotated[Response, "text/plain"]:
    """Say whether the database can be written."""
    if not await services.health.is_well():
        raise Refusal("busy", "the database cannot be written to; see the log")
    return Response("fine\n", media_type="text/plain")


@router.get("/metrics")
async def metrics() -> Annotated[Response, "text/plain"]:
    """Tell what is counted and measured, as it was in this second."""
    return Response(_latest(int(time.monotonic())), media_type=CONTENT_TYPE_LATEST)


@functools.lru_cache(maxsize=1)
def _latest(second: int) -> bytes:
    return generate_latest()
