"""Limits for whoever comes: how often, from where."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fastapi import WebSocket
from starlette.requests import HTTPConnection

#: Sockets of one visitor.
MOST_SOCKETS = 200


class Bucket:
    """A bucket of tokens that fills up again: ``rate`` a second, at most ``burst``."""

    __slots__ = ("burst", "filled", "rate", "tokens")

    def __init__(self, rate: float, burst: float) -> None:
        """Begin full."""
        self.rate, self.burst = rate, burst
        self.tokens, self.filled = burst, time.monotonic()

    def take(self, cost: float = 1) -> bool:
        """Take tokens, if there are so many."""
        moment = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (moment - self.filled) * self.rate)
        self.filled = moment
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True


class Visitors:
    """A bucket for every visitor; those who were here longest ago are forgotten."""

    def __init__(self, rate: float, burst: float, most: int = 50_000) -> None:
        """Say how often a visitor may come."""
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str, cost: float = 1) -> bool:
        """Tell whether a visitor may."""
        bucket = self._buckets.get(visitor)
        if bucket is None:
            bucket = self._buckets[visitor] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(visitor)
        return bucket.take(cost)


def visitor(connection: HTTPConnection) -> str:
    """Name a visitor by the address."""
    return connection.client.host if connection.client else "?"


def check_origin(websocket: WebSocket) -> bool:
    """Tell whether the page that opens a socket is our own; programs that are no browsers say nothing."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in websocket.app.state.settings.origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


@asynccontextmanager
async def admitted(websocket: WebSocket) -> AsyncIterator[bool]:
    """Accept a socket and count it, or close it if its page or the number of its visitor's forbids it; tell which."""
    if not check_origin(websocket):
        await websocket.close(4403, "this page may not open sockets here")
        yield False
        return
    who = visitor(websocket)
    sockets: Counter[str] = websocket.app.state.sockets
    if sockets[who] >= MOST_SOCKETS:
        await websocket.close(4429, "too many sockets")
        yield False
        return
    await websocket.accept()
    sockets[who] += 1
    try:
        yield True
    finally:
        sockets[who] -= 1
        if not sockets[who]:
            del sockets[who]
