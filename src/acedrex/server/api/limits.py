"""What stands between a visitor and what costs something."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from urllib.parse import urlsplit

from fastapi import WebSocket
from starlette.requests import HTTPConnection

from acedrex.server.api.services import services_of
from acedrex.server.budgets import Kind
from acedrex.server.decide import Refusal
from acedrex.server.visitor import Visitor, address_of

#: Sockets and streams of one address that are open at once.
MOST_OPEN = 200


def visitor(connection: HTTPConnection, person: str | None = None) -> Visitor:
    """Say who comes: from which address, and who it is if that is known."""
    return Visitor(address_of(connection.client.host if connection.client else None), person)


def spend(connection: HTTPConnection, kind: Kind, amount: float = 1, person: str | None = None) -> None:
    """Count what somebody asks for.

    :raises Refusal: if that was too much.
    """
    services_of(connection).budgets.spend(visitor(connection, person), kind, amount)


def spend_on_match(connection: HTTPConnection, moves: int) -> None:
    """Count that somebody is told all of a match; a very long one costs much, since everybody waits for it.

    :raises Refusal: if that was too much.
    """
    spend(connection, "work", 1 + (moves / 150) ** 2)


def check_origin(websocket: WebSocket) -> bool:
    """Tell whether the page that opens a socket is our own; programs that are no browsers say nothing."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in services_of(websocket).settings.origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


@contextmanager
def held_open(connection: HTTPConnection) -> Iterator[None]:
    """Count a socket or a stream for as long as it is open.

    :raises Refusal: if too many of the address are.
    """
    who = visitor(connection).address
    held = services_of(connection).held_open
    if held[who] >= MOST_OPEN:
        raise Refusal("too_fast", f"your address has {MOST_OPEN} open sockets and streams; close some")
    held[who] += 1
    try:
        yield
    finally:
        held[who] -= 1
        if not held[who]:
            del held[who]


@asynccontextmanager
async def admitted(websocket: WebSocket) -> AsyncIterator[bool]:
    """Accept a socket and count it, or close it if its page or the number of its visitor's forbids it; tell which."""
    if not check_origin(websocket):
        await websocket.close(4403, "this page may not open sockets here")
        yield False
        return
    with ExitStack() as held:
        try:
            spend(websocket, "sockets")
            held.enter_context(held_open(websocket))
        except Refusal:
            await websocket.close(4429, "too many sockets")
            yield False
            return
        await websocket.accept()
        yield True
