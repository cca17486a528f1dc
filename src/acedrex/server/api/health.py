"""Health and metrics of the server, for monitoring programs."""

from __future__ import annotations

import functools
import time
from typing import Annotated

import structlog
from fastapi import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from acedrex.server.api.routes import Routes
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served

log = structlog.get_logger()
router = Routes("", "health")


@router.get("/healthz")
async def healthz(services: Served) -> Annotated[Response, "text/plain"]:
    """Report whether the database can be written."""
    if not await services.health.is_well():
        raise Refusal("busy", "the database cannot be written to; see the log")
    return Response("fine\n", media_type="text/plain")


@router.get("/metrics")
async def metrics() -> Annotated[Response, "text/plain"]:
    """Return the metrics, collected at most once a second."""
    return Response(_latest(int(time.monotonic())), media_type=CONTENT_TYPE_LATEST)


@functools.lru_cache(maxsize=1)
def _latest(second: int) -> bytes:
    return generate_latest()
