"""The database: what is written in groups, what is read alone.

Everything is written by one task. What waits while a commit is on its way goes into the next one together, so the disk
is asked once for many moves; whoever waits for a write is told only when it is on the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from sqlalchemy import Executable, bindparam, event, insert, select, text, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from acedrex.server import events, wire
from acedrex.server.tables import chat, definitions, guests, matches
from acedrex.server.tables import events as event_table

log = structlog.get_logger()

NEW_GUEST = insert(guests)
RENAME = update(guests).where(guests.c.id == bindparam("_id")).values(name=bindparam("_name"))
NEW_DEFINITION = insert(definitions)
NEW_MATCH = insert(matches)
MATCH_WENT_ON = (
    update(matches)
    .where(matches.c.id == bindparam("_id"))
    .values(
        {
            name: bindparam(f"_{name}")
            for name in ("white", "black", "phase", "deadline", "engine_due", "number", "at", "card")
        }
    )
)
NEW_EVENT = insert(event_table)
NEW_LINE = insert(chat)


#: A statement and what it is filled with.
Step = tuple[Executable, Mapping[str, Any]]

#: Most writes in one commit, so that nobody waits for too large a one; seconds after a commit in which others gather,
#: for a commit costs about as much as ten writes.
GROUP, GATHER = 500, 0.005
#: Most writes that may wait: beyond it the disk cannot follow, and whoever writes is told so.
WAITING = 20_000
#: Seconds that a database may take to answer.
PATIENCE = 10


class ConflictError(Exception):
    """Somebody else stored an event of this number first."""


class BusyError(Exception):
    """The database cannot follow, or does not answer. What was to be written may have been written or not."""


class BrokenError(Exception):
    """What is stored of a match cannot be the whole of it."""


class Write(Struct):
    """Steps that are done together or not at all."""

    steps: Sequence[Step]
    done: asyncio.Future[None]


class Store:
    """All that is kept, in SQLite or in PostgreSQL."""

    def __init__(self, url: str) -> None:
        """Remember where; :meth:`open` begins."""
        self.engine = connect(url, PATIENCE)
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue(WAITING)
        self._writer: asyncio.Task[None] | None = None
        self._writing: AsyncConnection | None = None

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
        """Do some steps, all or none, and come back when they are on the disk. Whoever is stopped meanwhile waits too.

        :raises ConflictError: if a row with the same key is there.
        :raises BusyError: if too much waits already, or the database does not answer.
        """
        done = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(Write(steps, done))
        except asyncio.QueueFull:
            raise BusyError from None
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            await asyncio.wait([done])
            done.exception()
            raise

    async def _write_all(self) -> None:
        going = True
        while going:
            group = [await self._queue.get()]
            while len(group) < GROUP and not self._queue.empty():
                group.append(self._queue.get_nowait())
            going = None not in group
            await self._write([write for write in group if write is not None])
            await asyncio.sleep(GATHER)
        await self._hang_up()

    async def _write(self, group: list[Write]) -> None:
        try:
            if self._writing is None:
                self._writing = await self.engine.connect()
            await _commit(self._writing, group)
        except (Exception, asyncio.CancelledError) as error:
            if not await self._stands(error):
                _lost(error)
                _settle(group, BusyError)
            elif len(group) > 1:
                # One of them is at fault: the others must not suffer.
                for place, write in enumerate(group):
                    await self._write([write])
                    if self._writing is None:
                        _settle(group[place + 1 :], BusyError)
                        return
            else:
                failure = ConflictError() if isinstance(error, IntegrityError) else error
                _settle(group, lambda: failure)
        else:
            _settle(group, None)

    async def _stands(self, error: BaseException) -> bool:
        """Tell whether the connection outlived a failure; if not, the next write begins with a new one."""
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if self._writing is not None and not lost and not self._writing.invalidated:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._writing.rollback()
                await self._writing.execute(select(1))
                await self._writing.rollback()
                return True
        await self._hang_up()
        return False

    async def _hang_up(self) -> None:
        connection, self._writing = self._writing, None
        if connection is not None:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await connection.invalidate()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await connection.close()

    async def tidy(self) -> None:
        """Copy into SQLite's database what was written ahead, without holding up whoever writes."""
        if self.engine.dialect.name == "sqlite":
            async with self.engine.connect() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))

    async def all(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Read rows.

        :raises BusyError: if the database does not answer.
        """
        async with self.connected() as connection:
            return (await connection.execute(statement, values)).all()

    async def first(self, statement: Executable, **values: Any) -> Row[Any] | None:
        """Read a row, if there is one.

        :raises BusyError: if the database does not answer.
        """
        async with self.connected() as connection:
            return (await connection.execute(statement, values)).first()

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[AsyncConnection]:
        """Borrow a connection.

        :raises BusyError: if the database does not answer.
        """
        try:
            connection = await self.engine.connect()
        except (Exception, asyncio.CancelledError) as error:
            _check_cancelled(error)
            raise _lost(error) from error
        try:
            try:
                yield connection
            finally:
                await connection.close()
        except (DBAPIError, OSError, asyncio.CancelledError) as error:
            _check_cancelled(error)
            # A file of SQLite is not lost: what goes wrong there is a fault.
            if self.engine.dialect.name == "sqlite":
                raise
            if isinstance(error, DBAPIError) and not (
                error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
            ):
                raise
            raise _lost(error) from error

    async def events(self, match: str, after: int = 0) -> list[events.Event]:
        """Read the events of a match behind a number.

        :raises BrokenError: if one is missing among them, or cannot be read.
        """
        return whole(await self.rows(match, after), after)

    async def rows(self, match: str, after: int = 0) -> list[tuple[int, str]]:
        """Read the numbers and texts of the events of a match behind a number."""
        return [(row.number, row.body) for row in await self.all(EVENTS_OF, match=match, after=after)]

    async def definition(self, key: str) -> str:
        """Read the text of a definition.

        :raises BrokenError: if it is not there.
        """
        row = await self.first(select(definitions.c.text).where(definitions.c.hash == key))
        if row is None:
            raise BrokenError(f"the definition {key} is missing")
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


def whole(rows: Sequence[tuple[int, str]], after: int = 0) -> list[events.Event]:
    """Make the events of a match behind a number of their rows.

    :raises BrokenError: if one is missing among them, or cannot be read.
    """
    for expected, (number, _) in enumerate(rows, start=after + 1):
        if number != expected:
            raise BrokenError(f"event {expected} is missing: the next is {number}")
    try:
        return [events.decode(body) for _, body in rows]
    except msgspec.MsgspecError as error:
        raise BrokenError(f"an event cannot be read: {error}") from None


EVENTS_OF = (
    select(event_table.c.number, event_table.c.body)
    .where(event_table.c.match == bindparam("match"), event_table.c.number > bindparam("after"))
    .order_by(event_table.c.number)
)
CHAT_OF = (
    select(chat.c.id, chat.c.by, chat.c.name, chat.c.text, chat.c.at)
    .where(chat.c.match == bindparam("match"))
    .order_by(chat.c.id.desc())
    .limit(200)
)


def _check_cancelled(error: BaseException) -> None:
    """Let go on who was really stopped: drivers stop whoever waits, too, when a connection dies under them."""
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
        raise error


def _lost(error: BaseException) -> BusyError:
    log.warning("database_lost", error=type(error).__name__)
    return BusyError()


def _settle(group: list[Write], error: Callable[[], BaseException] | None) -> None:
    for write in group:
        if error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(error())


async def _commit(connection: AsyncConnection, group: list[Write]) -> None:
    grouped: dict[Executable, list[Mapping[str, Any]]] = {}
    for write in group:
        for statement, values in write.steps:
            grouped.setdefault(statement, []).append(values)
    for statement, rows in grouped.items():
        await connection.execute(statement, rows)
    await connection.commit()


def connect(url: str, patience: float | None = None) -> AsyncEngine:
    """Connect to a database.

    SQLite writes ahead (readers never wait for the writer) and syncs at every commit: what was acknowledged outlives
    not only a killed server but a power cut. Committing in groups pays for it.


    :param patience: seconds that PostgreSQL may take for a statement; by default as long as it takes.
    """
    if not url.startswith("sqlite"):
        waits = {"timeout": PATIENCE, "command_timeout": patience}
        return create_async_engine(
            url, pool_pre_ping=True, pool_timeout=PATIENCE, hide_parameters=True, connect_args=waits
        )
    engine = create_async_engine(url, hide_parameters=True)

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
