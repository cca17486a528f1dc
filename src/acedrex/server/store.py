"""The database: what is written in groups, what is read alone.

Everything is written by one task. What waits while a commit is on its way goes into the next one together, so the disk
is asked once for many plies; whoever waits for a write is told only when it is on the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Executable, bindparam, event, insert, select, text, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from acedrex.server import events, wire
from acedrex.server.tables import chat, definitions, guests, matches
from acedrex.server.tables import events as event_table

NEW_GUEST = insert(guests)
RENAME = update(guests).where(guests.c.id == bindparam("_id")).values(name=bindparam("_name"))
NEW_DEFINITION = insert(definitions)
NEW_MATCH = insert(matches)
MATCH_WENT_ON = (
    update(matches)
    .where(matches.c.id == bindparam("_id"))
    .values(
        {name: bindparam(f"_{name}") for name in ("white", "black", "phase", "deadline", "engine_due", "at", "card")}
    )
)
NEW_EVENT = insert(event_table)
NEW_LINE = insert(chat)


#: A statement and what it is filled with.
Step = tuple[Executable, Mapping[str, Any]]

#: Most writes in one commit, so that nobody waits for too large a one.
GROUP = 500
#: Most writes that may wait: beyond it the disk cannot follow, and whoever writes is told so.
WAITING = 20_000


class ConflictError(Exception):
    """Somebody else stored an event of this number first."""


class BusyError(Exception):
    """The database cannot follow."""


class Write(Struct):
    """Steps that are done together or not at all."""

    steps: Sequence[Step]
    done: asyncio.Future[None]


class Store:
    """All that is kept, in SQLite or in PostgreSQL."""

    def __init__(self, url: str) -> None:
        """Remember where; :meth:`open` begins."""
        self.engine = connect(url)
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue(WAITING)
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to write."""
        self._writer = asyncio.create_task(self._write_all(), name="writer")

    async def close(self) -> None:
        """Write what waits, and close."""
        if self._writer is not None:
            await self._queue.put(None)
            await self._writer
        await self.engine.dispose()

    async def write(self, *steps: Step) -> None:
        """Do some steps, all or none, and come back when they are on the disk.

        :raises ConflictError: if a row with the same key is there.
        :raises BusyError: if too much waits already.
        """
        done = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(Write(steps, done))
        except asyncio.QueueFull:
            raise BusyError from None
        await done

    async def _write_all(self) -> None:
        async with self.engine.connect() as connection:
            going = True
            while going:
                group = [await self._queue.get()]
                while len(group) < GROUP and not self._queue.empty():
                    group.append(self._queue.get_nowait())
                going = None not in group
                await self._write(connection, [write for write in group if write is not None])

    async def _write(self, connection: AsyncConnection, group: list[Write]) -> None:
        try:
            await _commit(connection, group)
        except Exception as error:
            if len(group) > 1:
                # One of them is at fault: the others must not suffer.
                for write in group:
                    await self._write(connection, [write])
                return
            failure = ConflictError() if isinstance(error, IntegrityError) else error
            if not group[0].done.done():
                group[0].done.set_exception(failure)
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                await connection.invalidate()
            return
        for write in group:
            if not write.done.done():
                write.done.set_result(None)

    async def tidy(self) -> None:
        """Copy into SQLite's database what was written ahead, without holding up whoever writes."""
        if self.engine.dialect.name == "sqlite":
            async with self.engine.connect() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))

    async def all(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Read rows."""
        async with self.engine.connect() as connection:
            return (await connection.execute(statement, values)).all()

    async def first(self, statement: Executable, **values: Any) -> Row[Any] | None:
        """Read a row, if there is one."""
        async with self.engine.connect() as connection:
            return (await connection.execute(statement, values)).first()

    async def events(self, match: str, after: int = 0) -> list[events.AnyEvent]:
        """Read the events of a match behind a number."""
        rows = await self.all(EVENTS_OF, match=match, after=after)
        return [events.decode(body) for (body,) in rows]

    async def definition(self, key: str) -> str:
        """Read the text of a definition."""
        row = await self.first(select(definitions.c.text).where(definitions.c.hash == key))
        assert row is not None
        return str(row[0])

    async def add_definition(self, key: str, text: str) -> None:
        """Keep the text of a definition, if it is new."""
        if await self.first(select(definitions.c.hash).where(definitions.c.hash == key)) is None:
            with contextlib.suppress(ConflictError):
                await self.write((NEW_DEFINITION, {"hash": key, "text": text}))

    async def chat(self, match: str) -> list[wire.ChatLine]:
        """Read the last lines of a match's chat."""
        rows = await self.all(CHAT_OF, match=match)
        return [wire.ChatLine(*row) for row in reversed(rows)]


EVENTS_OF = (
    select(event_table.c.body)
    .where(event_table.c.match == bindparam("match"), event_table.c.number > bindparam("after"))
    .order_by(event_table.c.number)
)
CHAT_OF = (
    select(chat.c.id, chat.c.by, chat.c.name, chat.c.text, chat.c.at)
    .where(chat.c.match == bindparam("match"))
    .order_by(chat.c.id.desc())
    .limit(200)
)


async def _commit(connection: AsyncConnection, group: list[Write]) -> None:
    grouped: dict[Executable, list[Mapping[str, Any]]] = {}
    for write in group:
        for statement, values in write.steps:
            grouped.setdefault(statement, []).append(values)
    try:
        for statement, rows in grouped.items():
            await connection.execute(statement, rows)
        await connection.commit()
    except BaseException:
        await connection.rollback()
        raise


def connect(url: str) -> AsyncEngine:
    """Connect to a database.

    SQLite writes ahead (readers never wait for the writer) and syncs at every commit: what was acknowledged outlives
    not only a killed server but a power cut. Committing in groups pays for it.
    """
    engine = create_async_engine(url, pool_pre_ping=not url.startswith("sqlite"), hide_parameters=True)
    if url.startswith("sqlite"):

        @event.listens_for(engine.sync_engine, "connect")
        def _(connection: sqlite3.Connection, _: object) -> None:
            cursor = connection.cursor()
            # The heartbeat copies what was written ahead into the database, so that no commit has to wait for it; the
            # number of pages only bounds the file if that falls behind.
            pragmas = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "wal_autocheckpoint=20000")
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

    return engine
