"""Copies of the database: a file of lines of JSON, packed, from which any database can be filled again."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any, TextIO

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from acedrex.errors import Error
from acedrex.server.migrate import upgrade
from acedrex.server.store import connect
from acedrex.server.tables import beats, metadata

#: What the first line of a copy says.
HEAD = {"acedrex": "backup", "version": 1}
#: Rows that are read or written at once.
PORTION = 1_000
#: A heartbeat belongs to a running server.
TABLES = [table for table in metadata.sorted_tables if table is not beats]


def backup(url: str, path: Path) -> int:
    """Copy a database into a new file, as it is at one moment, while the server runs. Gives the number of rows.

    :raises Error: if the file is there already, or the database cannot be read.
    """
    unfinished = path.with_name(f"{path.name}.part")
    if path.exists():
        raise Error(f"{path} is there already; choose another name")
    try:
        with gzip.open(unfinished, "wt", encoding="utf-8") as file:
            count = asyncio.run(_read(url, file))
    except SQLAlchemyError as error:
        unfinished.unlink()
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
            file.write(_line(HEAD))
            for table in TABLES:
                async with connection.stream(select(table).execution_options(yield_per=PORTION)) as rows:
                    async for row in rows:
                        file.write(_line([str(table.name), list(row)]))
                        count += 1
    finally:
        await engine.dispose()
    return count


def restore(url: str, path: Path) -> int:
    """Fill an empty database from a copy. Gives the number of rows.

    :raises Error: if the database has something in it, or the file is no copy.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return asyncio.run(_write(url, file, path))
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise Error(f"{path} is no whole backup of Acedrex: {error}") from None


async def _write(url: str, file: TextIO, path: Path) -> int:
    if msgspec.json.decode(file.readline() or "0") != HEAD:
        raise Error(f"{path} is no backup of Acedrex")
    engine = connect(url)
    tables = {str(table.name): table for table in TABLES}
    count = 0
    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
            for table in TABLES:
                if (await connection.execute(select(func.count()).select_from(table))).scalar():
                    raise Error("the database has something in it already; restore into a new one")
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
    finally:
        await engine.dispose()
    return count


async def _put(connection: AsyncConnection, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        await connection.execute(insert(table), rows)


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"
