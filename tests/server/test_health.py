"""The health check, for programs that monitor the server."""

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

from acedrex.server import health
from acedrex.server.storage.store import Step
from tests.conftest import TIMEOUT
from tests.server.conftest import Proxy, Server, anyone
from tests.server.waiting import wait_until


def check(server: Server) -> httpx.Response:
    return anyone.get(f"{server.base}/healthz", timeout=TIMEOUT)


def check_failure_and_recovery(server: Server, failure: AbstractContextManager[object]) -> None:
    """See that the server is unhealthy during a failure of its database, and healthy before and afterwards."""
    assert (check(server).status_code, check(server).text) == (200, "fine\n")
    time.sleep(health.CACHE_SECONDS + 0.2)
    with failure, ThreadPoolExecutor(20) as pool:
        began = time.monotonic()
        answers = list(pool.map(lambda _: check(server), range(20)))
        took = time.monotonic() - began
    assert {answer.status_code for answer in answers} == {503}
    assert answers[0].json()["code"] == "busy" and answers[0].headers["retry-after"]
    assert took < 10 * health.WRITE_TIMEOUT_S
    wait_until(lambda: check(server).status_code == 200)


def test_a_locked_database_file_makes_the_server_unhealthy(start: Callable[..., Server], tmp_path: Path) -> None:
    @contextlib.contextmanager
    def locked() -> Iterator[None]:
        other = sqlite3.connect(tmp_path / "server.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
        other.close()

    server = start()
    check_failure_and_recovery(server, locked())
    assert '"unhealthy"' in server.log.read_text()


def test_a_database_that_hangs_makes_the_server_unhealthy(start: Callable[..., Server], proxy: Proxy) -> None:
    @contextlib.contextmanager
    def stopped() -> Iterator[None]:
        proxy.open.clear()
        yield
        proxy.open.set()

    check_failure_and_recovery(start(ACEDREX_DATABASE_URL=proxy.url), stopped())


async def test_health_checks_use_the_database_at_most_once_a_second() -> None:
    class CountingStore:
        failed_at = -health.RECOVERY
        writes = 0

        async def write(self, *steps: Step) -> None:
            self.writes += 1
            await asyncio.sleep(0.01)
            if self.writes > 1:
                raise OSError

    store: Any = CountingStore()
    found = health.Health(store)
    assert all(await asyncio.gather(*(found.is_well() for _ in range(100))))
    assert store.writes == 1
    # A request that is cancelled does not disturb the others.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(health, "CACHE_SECONDS", 0.0)
        leaving = asyncio.create_task(found.is_well())
        await asyncio.sleep(0)
        leaving.cancel()
    assert not await found.is_well()
    assert store.writes == 2
