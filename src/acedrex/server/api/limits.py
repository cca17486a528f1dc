"""Limits on what a visitor may use: budgets, open connections, and the origin of sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from urllib.parse import urlsplit

from fastapi import WebSocket
from starlette.requests import HTTPConnection

from acedrex.server.limits.budgets import Kind
from acedrex.server.limits.visitor import Visitor, address_of
from acedrex.server.refusal import Refusal
from acedrex.server.services import services_of

#: The maximum number of open sockets and streams per address.
MAX_OPEN = 200


def visitor(connection: HTTPConnection, person: str | None = None) -> Visitor:
    """Return the visitor behind a connection: the address, and the person if known."""
    return Visitor(address_of(connection.client.host if connection.client else None), person)


def spend(connection: HTTPConnection, kind: Kind, amount: float = 1, person: str | None = None) -> None:
    """Charge the budget of the connection's visitor.

    :raises Refusal: if the budget does not cover it.
    """
    services_of(connection).budgets.spend(visitor(connection, person), kind, amount)


def spend_on_match(connection: HTTPConnection, moves: int) -> None:
    """Charge for sending a whole match; a very long one is expensive, since it holds up everyone else.

    :raises Refusal: if the budget does not cover it.
    """
    spend(connection, "work", 1 + (moves / 150) ** 2)


def check_origin(websocket: WebSocket) -> bool:
    """Return whether a socket may be opened: by one of our own pages, or by a program that sends no origin."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in services_of(websocket).settings.origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


@contextmanager
def held_open(connection: HTTPConnection) -> Iterator[None]:
    """Count a socket or a stream for as long as it is open.

    :raises Refusal: if the address has too many open.
    """
    address, services = visitor(connection).address, services_of(connection)
    held, most = services.held_open, MAX_OPEN // services.settings.workers
    if held[address] >= most:
        raise Refusal("too_fast", f"your address has {most} open sockets and streams; close some")
    held[address] += 1
    try:
        yield
    finally:
        held[address] -= 1
        if not held[address]:
            del held[address]


@asynccontextmanager
async def admitted(websocket: WebSocket) -> AsyncIterator[bool]:
    """Accept and count a socket, or close it if its origin or its visitor's limits forbid it; yield which."""
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
