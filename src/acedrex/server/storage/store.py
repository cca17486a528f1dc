"""The database: writes are committed in groups, reads run on their own.

One task writes everything. All writes that wait during a commit go into the next one together, so one sync to the disk
serves many moves; a write is acknowledged only when it is on the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import structlog
from msgspec import Struct
from sqlalchemy import CursorResult, Executable, bindparam, event, insert, select, text, union_all, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from acedrex.server import wire
from acedrex.server.match.events import BrokenError, Event, decode_events
from acedrex.server.storage.tables import chat, definitions, matches, people
from acedrex.server.storage.tables import events as event_table

log = structlog.get_logger()

Found = TypeVar("Found")

NEW_PERSON = insert(people)
RENAME = update(people).where(people.c.id == bindparam("_id")).values(name=bindparam("_name"))
NEW_DEFINITION = insert(definitions)
NEW_MATCH = insert(matches)
UPDATE_MATCH = (
    update(matches)
    .where(matches.c.id == bindparam("_id"))
    .values(
        {
            name: bindparam(f"_{name}")
            for name in ("white", "black", "phase", "deadline", "engine_due", "number", "at", "card", "notify_at")
        }
    )
)
NEW_EVENT = insert(event_table)
NEW_LINE = insert(chat)


#: A statement and the values of its parameters.
Step = tuple[Executable, Mapping[str, Any]]

#: Most writes in one commit, so that none takes too long; seconds after a commit in which further writes gather, for
#: a commit costs about as much as ten writes.
GROUP, GATHER = 500, 0.005
#: Most writes that may wait; beyond this the disk cannot keep up, and further writes are refused.
WAITING = 20_000
#: Seconds for which a failure to write is not logged again: a log may be on the same full disk.
QUIET = 10
#: SQLite's errors for which a write is not to blame.
CANNOT_WRITE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOMEM,
}
#: The chat messages of players, and of spectators, that a match shows.
LINES = 200
#: Seconds that a database may take to answer; connections to PostgreSQL of a process that write, and that read.
DATABASE_TIMEOUT_S, CONNECTIONS = 10, 7


class ConflictError(Exception):
    """A row with this key exists already: an event of this number was stored by another process first."""


class BusyError(Exception):
    """The database cannot keep up, does not answer or cannot write, as on a full disk.

    The write may or may not have been carried out.
    """


class Write(Struct):
    """Steps that are carried out together or not at all."""

    steps: Sequence[Step]
    done: asyncio.Future[None]


class Store:
    """The database, in SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        """Prepare a connection to a database; :meth:`open` starts writing."""
        self.engine = connect(url, DATABASE_TIMEOUT_S)
        # In PostgreSQL a read needs no transaction, whose beginning and end would each be a message and its answer.
        is_sqlite = self.engine.dialect.name == "sqlite"
        self._reader = self.engine if is_sqlite else connect(url, DATABASE_TIMEOUT_S, isolation_level="AUTOCOMMIT")
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue(WAITING)
        self._writer: asyncio.Task[None] | None = None
        self._writing: AsyncConnection | None = None
        self._reading: set[asyncio.Task[Any]] = set()
        #: When the database last had no room for a write, or could not write, by the monotonic clock.
        self.failed_at = -math.inf

    async def open(self) -> None:
        """Start the task that writes."""
        self._writer = asyncio.create_task(self._write_all(), name="writer")

    async def close(self) -> None:
        """Finish the waiting writes and close."""
        if self._writer is not None:
            await self._queue.put(None)
            await self._writer
        if self._reading:
            await asyncio.wait(self._reading)
        for engine in {self.engine, self._reader}:
            await engine.dispose()

    async def write(self, *steps: Step) -> None:
        """Carry out some steps, all or none, and return when they are on the disk; even if cancelled, wait for that.

        :raises ConflictError: if there is already a row with the same key.
        :raises BusyError: if too many writes wait, or the database does not answer.
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
        is_open = True
        while is_open:
            group = [await self._queue.get()]
            while len(group) < GROUP and not self._queue.empty():
                group.append(self._queue.get_nowait())
            is_open = None not in group
            await self._write([write for write in group if write is not None])
            await asyncio.sleep(GATHER)
        await self._disconnect()

    async def _write(self, group: list[Write]) -> None:
        try:
            if self._writing is None:
                self._writing = await self.engine.connect()
            await _commit(self._writing, group)
        except (Exception, asyncio.CancelledError) as error:
            if not await self._survived(error):
                _lost(error)
                _settle(group, BusyError)
            elif len(group) > 1:
                # One write failed: carry them out one by one, so that the others succeed.
                for place, write in enumerate(group):
                    await self._write([write])
                    if self._writing is None:
                        _settle(group[place + 1 :], BusyError)
                        return
            elif _cannot_store(error):
                if time.monotonic() - self.failed_at > QUIET:
                    orig = getattr(error, "orig", None)
                    log.error("cannot_write", error=getattr(orig, "sqlite_errorname", None) or type(orig).__name__)
                self.failed_at = time.monotonic()
                _settle(group, BusyError)
            else:
                failure = ConflictError() if isinstance(error, IntegrityError) else error
                _settle(group, lambda: failure)
        else:
            _settle(group, None)

    async def _survived(self, error: BaseException) -> bool:
        """Return whether the connection survived a failure; if not, the next write opens a new one."""
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if self._writing is not None and not lost and not self._writing.invalidated:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._writing.rollback()
                await self._writing.execute(select(1))
                await self._writing.rollback()
                return True
        await self._disconnect()
        return False

    async def _disconnect(self) -> None:
        connection, self._writing = self._writing, None
        if connection is not None:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await connection.invalidate()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await connection.close()

    async def change(self, *steps: Step) -> list[int]:
        """Carry out some steps in this order, in a transaction of their own, and return how many rows each changed.

        That number decides between requests, perhaps to different processes, that want what only one can have.

        :raises ConflictError: if there is already a row with the same key.
        :raises BusyError: if the database does not answer, or cannot write.
        """
        changing = asyncio.create_task(self._change(steps))
        self._reading.add(changing)
        changing.add_done_callback(self._has_read)
        return await asyncio.shield(changing)

    async def claim(self, *steps: Step) -> bool:
        """Carry out some steps in this order, all or none, if the first one changes a row; return whether it does.

        So of several processes that find the same work, one does it, and what follows from it is stored with that.

        :raises ConflictError: if there is already a row with the same key.
        :raises BusyError: if the database does not answer, or cannot write.
        """
        claiming = asyncio.create_task(self._change(steps, is_claim=True))
        self._reading.add(claiming)
        claiming.add_done_callback(self._has_read)
        return bool(await asyncio.shield(claiming))

    async def _change(self, steps: Sequence[Step], *, is_claim: bool = False) -> list[int]:
        try:
            async with self.connected() as connection:
                counts: list[int] = []
                for statement, values in steps:
                    counts.append((await connection.execute(statement, values)).rowcount)
                    if is_claim and counts == [0]:
                        await connection.rollback()
                        return []
                await connection.commit()
                return counts
        except IntegrityError:
            raise ConflictError from None
        except DBAPIError as error:
            if _cannot_store(error):
                raise BusyError from None
            raise

    async def tidy(self) -> None:
        """Copy SQLite's write-ahead log into the database, without blocking writers."""
        if self.engine.dialect.name == "sqlite":
            async with self.engine.connect() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))

    async def all(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Read rows.

        :raises BusyError: if the database does not answer.
        """
        return await self._read(lambda rows: rows.all(), statement, values)

    async def first(self, statement: Executable, **values: Any) -> Row[Any] | None:
        """Read a row, if there is one.

        :raises BusyError: if the database does not answer.
        """
        return await self._read(lambda rows: rows.first(), statement, values)

    async def _read(
        self, of: Callable[[CursorResult[Any]], Found], statement: Executable, values: Mapping[str, Any]
    ) -> Found:
        async def read() -> Found:
            async with self.connected(self._reader) as connection:
                return of(await connection.execute(statement, values))

        # A visitor who leaves ends the task that reads. Then the reading itself goes on: a connection that is given
        # back in the middle of a statement is lost.
        reading = asyncio.create_task(read())
        self._reading.add(reading)
        reading.add_done_callback(self._has_read)
        return await asyncio.shield(reading)

    def _has_read(self, reading: asyncio.Task[Any]) -> None:
        self._reading.discard(reading)
        if not reading.cancelled():
            reading.exception()  # It may be that nobody waits for it any more.

    @contextlib.asynccontextmanager
    async def connected(self, engine: AsyncEngine | None = None) -> AsyncIterator[AsyncConnection]:
        """Borrow a connection, by default one with transactions.

        :raises BusyError: if the database does not answer.
        """
        try:
            connection = await (engine or self.engine).connect()
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
            # The connection to an SQLite file cannot be lost: an error there is a real fault.
            if self.engine.dialect.name == "sqlite":
                raise
            if isinstance(error, DBAPIError) and not (
                error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
            ):
                raise
            raise _lost(error) from error

    async def events(self, match: str, after: int = 0) -> list[Event]:
        """Read the events of a match after a number.

        :raises BrokenError: if one is missing, or cannot be read.
        """
        return decode_events(await self.rows(match, after), after)

    async def rows(self, match: str, after: int = 0) -> list[tuple[int, str]]:
        """Read the numbers and texts of the events of a match after a number."""
        return [(row.number, row.body) for row in await self.all(EVENTS_OF, match=match, after=after)]

    async def definition(self, key: str) -> str:
        """Read the text of a definition.

        :raises BrokenError: if it is missing.
        """
        row = await self.first(select(definitions.c.text).where(definitions.c.hash == key))
        if row is None:
            raise BrokenError(f"the definition {key} is missing")
        return str(row[0])

    async def add_definition(self, key: str, text: str) -> None:
        """Store the text of a definition, if it is new."""
        if await self.first(select(definitions.c.hash).where(definitions.c.hash == key)) is None:
            with contextlib.suppress(ConflictError):
                await self.write((NEW_DEFINITION, {"hash": key, "text": text}))

    async def chat(self, match: str, without: Collection[str] = ()) -> list[wire.ChatLine]:
        """Read the latest chat messages of a match, of its players and of its spectators, the oldest first.

        :param without: people whose messages are left out.
        """
        rows = await self.all(CHAT_OF, match=match)
        return [wire.ChatLine(row.id, row.by, row.name, row.text, row.at) for row in rows if row.person not in without]


EVENTS_OF = (
    select(event_table.c.number, event_table.c.body)
    .where(event_table.c.match == bindparam("match"), event_table.c.number > bindparam("after"))
    .order_by(event_table.c.number)
)
#: Players and spectators have separate limits, so that neither can push out what the others wrote.
CHAT_OF = union_all(
    *(
        select(
            select(chat.c.id, chat.c.by, chat.c.name, chat.c.text, chat.c.at, chat.c.person)
            .where(chat.c.match == bindparam("match"), speaker)
            .order_by(chat.c.id.desc())
            .limit(LINES)
            .subquery()
        )
        for speaker in (chat.c.by == "watcher", chat.c.by != "watcher")
    )
).order_by("id")


def _check_cancelled(error: BaseException) -> None:
    """Raise a cancellation of the current task; drivers also raise it when a connection breaks."""
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
        raise error


def _cannot_store(error: BaseException) -> bool:
    """Return whether the database cannot write at the moment, as when the disk is full; the write is not to blame."""
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in CANNOT_WRITE
    # Too few resources, intervention of the operator, an error of the system.
    return (getattr(error.orig, "sqlstate", None) or "")[:2] in ("53", "57", "58")


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


def connect(url: str, timeout: float | None = None, **options: Any) -> AsyncEngine:
    """Connect to a database.

    SQLite uses a write-ahead log (readers never wait for the writer) and syncs at every commit: what was acknowledged
    survives not only a killed server but a power cut. Committing in groups makes up for the cost.

    :param timeout: seconds that PostgreSQL may take for a statement; by default without limit.
    :param options: others of PostgreSQL, for SQLAlchemy.
    """
    if not url.startswith("sqlite"):
        waits = {"timeout": DATABASE_TIMEOUT_S, "command_timeout": timeout}
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=DATABASE_TIMEOUT_S,
            hide_parameters=True,
            connect_args=waits,
            **options,
        )
    engine = create_async_engine(url, hide_parameters=True)

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: sqlite3.Connection, _: object) -> None:
        cursor = connection.cursor()
        # The heartbeat copies the write-ahead log into the database, so that no commit has to; the number of pages
        # only bounds the log if the heartbeat falls behind.
        pragmas = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "wal_autocheckpoint=20000")
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
