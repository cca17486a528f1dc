"""Databases that the process of the test itself reads and writes."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from acedrex import load
from acedrex.server.games import catalogue
from acedrex.server.match.events import Event
from acedrex.server.match.state import Match
from acedrex.server.storage import cards
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.store import Store


def migrate_now(url: str) -> None:
    """Apply all migrations, also while the test's own event loop runs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(migrate, url).result()


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "test.db")
        migrate_now(f"sqlite+aiosqlite:///{file}")
        return file.read_bytes()


def make_sqlite(file: Path) -> None:
    """Make a database of SQLite with the current schema: a copy, since the migrations take a quarter of a second."""
    file.write_bytes(_migrated())


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """Open a store, and close it in the end."""
    async with asyncio.timeout(30):
        await store.open()
    try:
        yield store
    finally:
        async with asyncio.timeout(30):
            await store.close()


def disk_is_full() -> OperationalError:
    """Return what SQLite raises, as SQLAlchemy passes it on."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return OperationalError("INSERT", {}, error)


@asynccontextmanager
async def full_disk(store: Store) -> AsyncIterator[None]:
    """Let no database of SQLite grow."""
    with contextlib.closing(sqlite3.connect(str(store.engine.url.database), isolation_level=None)) as other:
        other.execute("VACUUM")  # Otherwise what the migrations have left free can still be used.
    # Only the connection that writes has this limit, and the first write opens it.
    await store.write((select(1), {}))
    assert store._writing is not None
    (pages,) = (await store._writing.exec_driver_sql("PRAGMA page_count")).one()
    await store._writing.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    yield
    assert store._writing is not None
    await store._writing.exec_driver_sql(f"PRAGMA max_page_count = {2**31}")


async def store_match(store: Store, id: str, events: list[Event], game: str = "chess") -> None:
    """Store a match with these events."""
    match = Match(id, events, load(game))
    await store.add_definition(*catalogue.definition(match.game))
    await store.write(*cards.first_steps(match, events, "ana"))
