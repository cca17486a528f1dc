"""What programs are told that look after the server."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from acedrex.server.api import health
from acedrex.server.store import Step
from tests.server.conftest import Server, Way, anyone


def asked(server: Server) -> httpx.Response:
    return anyone.get(f"{server.base}/healthz", timeout=20)


def falls_ill_and_recovers(server: Server, ill: AbstractContextManager[object]) -> None:
    assert (asked(server).status_code, asked(server).text) == (200, "fine\n")
    time.sleep(health.CACHE_SECONDS + 0.2)
    with ill, ThreadPoolExecutor(20) as pool:
        began = time.monotonic()
        answers = list(pool.map(lambda _: asked(server), range(20)))
        took = time.monotonic() - began
    assert {answer.status_code for answer in answers} == {503}
    assert answers[0].json()["code"] == "busy" and answers[0].headers["retry-after"]
    assert took < health.PATIENCE + 2
    for _ in range(100):
        if asked(server).status_code == 200:
            break
        time.sleep(0.1)
    assert asked(server).status_code == 200


def test_a_file_that_cannot_be_written(start: Callable[..., Server], tmp_path: Path) -> None:
    @contextlib.contextmanager
    def locked() -> Iterator[None]:
        other = sqlite3.connect(tmp_path / "server.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
        other.close()

    server = start()
    falls_ill_and_recovers(server, locked())
    assert '"unhealthy"' in server.log.read_text()


def test_a_database_that_has_stopped(start: Callable[..., Server], way: Way) -> None:
    @contextlib.contextmanager
    def stopped() -> Iterator[None]:
        way.open.clear()
        yield
        way.open.set()

    falls_ill_and_recovers(start(ACEDREX_DATABASE_URL=way.url), stopped())


def test_the_database_is_asked_once_a_second() -> None:
    class Kept:
        writes = 0

        async def write(self, *steps: Step) -> None:
            self.writes += 1
            await asyncio.sleep(0.01)
            if self.writes > 1:
                raise OSError

    async def go() -> None:
        store: Any = Kept()
        found = health.Health(store)
        assert all(await asyncio.gather(*(found.is_well() for _ in range(100))))
        assert store.writes == 1
        # Whoever asks and leaves spoils nothing for the others.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(health, "CACHE_SECONDS", 0.0)
            leaving = asyncio.create_task(found.is_well())
            await asyncio.sleep(0)
            leaving.cancel()
        assert not await found.is_well()
        assert store.writes == 2

    asyncio.run(go())
