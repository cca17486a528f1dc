"""How the server is doing, for programs that look after it."""

from __future__ import annotations

import functools
import time

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import text

from acedrex.server.api.bodies import tells

router = APIRouter(tags=["health"])


@router.get("/healthz", **tells(said="text/plain"))
async def healthz(request: Request) -> Response:
    """Say whether the database answers."""
    await request.app.state.store.first(text("SELECT 1"))
    return Response("fine\n", media_type="text/plain")


@router.get("/metrics", **tells(said="text/plain"))
async def metrics() -> Response:
    """Tell what is counted and measured, as it was in this second."""
    return Response(_latest(int(time.monotonic())), media_type=CONTENT_TYPE_LATEST)


@functools.lru_cache(maxsize=1)
def _latest(second: int) -> bytes:
    return generate_latest()
