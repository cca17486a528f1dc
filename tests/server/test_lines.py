"""Responses line by line: what they hold ends with them, however they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from acedrex.server.api.lines import Lines
from acedrex.server.store import BusyError

SCOPE: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def failing() -> AsyncIterator[str]:
    """A stream whose database goes away."""
    yield "{}\n"
    raise BusyError


async def endless() -> AsyncIterator[str]:
    """A stream that never ends by itself."""
    while True:
        yield "\n"
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("ending", ["fails", "client leaves", "server ends"])
def test_a_stream_that_ends_is_no_longer_counted(ending: str) -> None:
    async def work() -> None:
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
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work())
