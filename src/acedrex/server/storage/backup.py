"""Backups of the database: gzipped JSON lines, which can be restored into any kind of database.

The first line names the schema of the database. A backup is restored in that schema and then migrated to the current
one, as the database itself would have been.
"""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any, TextIO

import msgspec
from sqlalchemy import Connection, MetaData, Table, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from acedrex.errors import Error
from acedrex.server.storage.file_lock import claimed
from acedrex.server.storage.migrate import UnknownSchemaError, schema, upgrade
from acedrex.server.storage.store import connect

#: The first line of a backup, besides the schema.
FILE_HEADER = {"acedrex": "backup", "version": 1}
#: Rows that are read or written at once.
PORTION = 1_000
#: A heartbeat belongs to a running server, and the schema is in the first line.
LEFT_OUT = ("beats", "alembic_version")


def backup(url: str, path: Path) -> int:
    """Write a consistent backup of a database to a new file, even while the server runs. Return the number of rows.

    :raises Error: if the file exists already, or the database cannot be read.
    """
    unfinished = path.with_name(f"{path.name}.part")
    if path.exists():
        raise Error(f"{path} already exists; choose another name")
    try:
        # Nobody else on the machine may read it.
        unfinished.touch(0o600)
        with gzip.open(unfinished, "wt", encoding="utf-8") as file:
            count = asyncio.run(_read(url, file))
    except (SQLAlchemyError, Error) as error:
        unfinished.unlink()
        if isinstance(error, Error):
            raise
        raise Error(f"cannot read the database: {getattr(error, 'orig', None) or error}") from None
    unfinished.replace(path)
    return count


async def _read(url: str, file: TextIO) -> int:
    engine = connect(url)
    count = 0
    try:
        async with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                await connection.execution_options(isolation_level="REPEATABLE READ")
            else:
                # Python's driver starts no transaction for reading, so each table would be of another moment.
                await connection.exec_driver_sql("BEGIN")
            current = await connection.run_sync(schema)
            if current is None:
                raise Error("cannot read the database: it has no Acedrex tables yet")
            file.write(_line({**FILE_HEADER, "shape": current}))
            for table in await connection.run_sync(_tables):
                async with connection.stream(select(table).execution_options(yield_per=PORTION)) as rows:
                    async for row in rows:
                        file.write(_line([str(table.name), list(row)]))
                        count += 1
    finally:
        await engine.dispose()
    return count


def restore(url: str, path: Path) -> int:
    """Restore a backup into an empty database. Return the number of rows.

    :raises Error: if the database is not empty, or a server uses it, or the file is not a complete backup.
    """
    try:
        with claimed(url), gzip.open(path, "rt", encoding="utf-8") as file:
            return asyncio.run(_write(url, file, path))
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise Error(f"{path} is an incomplete backup of Acedrex: {error}") from None


async def _write(url: str, file: TextIO, path: Path) -> int:
    head = msgspec.json.decode(file.readline() or "0", type=dict[str, Any] | int)
    if not isinstance(head, dict) or head != {**FILE_HEADER, "shape": head.get("shape")}:
        raise Error(f"{path} is not a backup of Acedrex")
    engine = connect(url)
    count = 0
    try:
        async with engine.begin() as connection:
            for table in await connection.run_sync(_tables):
                if (await connection.execute(select(func.count()).select_from(table))).scalar():
                    raise Error("the database has something in it already; restore into a new one")
            # The empty tables may have another schema than the backup.
            await connection.run_sync(_drop)
            await connection.run_sync(upgrade, str(head["shape"]))
            tables = {str(table.name): table for table in await connection.run_sync(_tables)}
            rows: list[dict[str, Any]] = []
            current = ""
            for line in file:
                name, values = msgspec.json.decode(line, type=tuple[str, list[Any]])
                if name not in tables:
                    raise Error(f"{path} has a table {name[:40]!r} that this version of Acedrex does not know")
                if name != current or len(rows) == PORTION:
                    await _put(connection, tables.get(current), rows)
                    rows, current = [], name
                rows.append(dict(zip(tables[name].columns.keys(), values, strict=True)))
                count += 1
            await _put(connection, tables.get(current), rows)
            await connection.run_sync(upgrade)
    except UnknownSchemaError as error:
        raise Error(f"cannot restore {path}: {error}") from None
    finally:
        await engine.dispose()
    return count


def _reflected(connection: Connection) -> MetaData:
    """Return the tables of this database, which may have an older schema."""
    tables = MetaData()
    tables.reflect(connection)
    return tables


def _tables(connection: Connection) -> list[Table]:
    return [table for table in _reflected(connection).sorted_tables if table.name not in LEFT_OUT]


def _drop(connection: Connection) -> None:
    _reflected(connection).drop_all(connection)


async def _put(connection: AsyncConnection, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        await connection.execute(insert(table), rows)


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"
