"""Responses line by line: what they hold is released with them, however they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from acedrex.server.api.lines import Lines
from acedrex.server.storage.store import BusyError

SCOPE: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def failing() -> AsyncIterator[str]:
    """A stream whose database fails."""
    yield "{}\n"
    raise BusyError


async def endless() -> AsyncIterator[str]:
    """A stream that does not end by itself."""
    while True:
        yield "\n"
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("ending", ["fails", "client leaves", "server ends"])
async def test_a_stream_releases_what_it_holds_however_it_ends(ending: str) -> None:
    tasks = asyncio.all_tasks()
    held: list[int] = []

    @contextmanager
    def holding() -> Iterator[None]:
        held.append(1)
        try:
            yield
        finally:
            held.pop()

    left = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    lines = Lines(failing() if ending == "fails" else endless(), held=holding())
    assert held
    answering = asyncio.create_task(lines(SCOPE, receive, send))
    await asyncio.sleep(0.05)
    if ending == "client leaves":
        left.set()
    elif ending == "server ends":
        answering.cancel()
    (error,) = await asyncio.gather(answering, return_exceptions=True)
    expected = {"fails": BusyError, "client leaves": type(None), "server ends": asyncio.CancelledError}
    assert type(error) is expected[ending]
    assert not held
    assert asyncio.all_tasks() == tasks
