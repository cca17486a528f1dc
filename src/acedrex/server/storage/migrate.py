"""Upgrades a database to the current schema."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection

from acedrex.errors import Error
from acedrex.server.storage.store import connect


def migrate(url: str) -> None:
    """Apply all migrations that a database lacks."""
    asyncio.run(_migrate(url))


async def _migrate(url: str) -> None:
    engine = connect(url)
    try:
        async with engine.begin() as connection:
            if engine.dialect.name == "sqlite":
                # Python's driver begins no transaction before a table is created: a step that fails would be half done.
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            await connection.run_sync(upgrade)
    finally:
        await engine.dispose()


class UnknownSchemaError(Error):
    """There is no schema of this name."""

    def __init__(self, name: str | None) -> None:
        """Say which."""
        super().__init__(f"its schema {name!r} is of another version of Acedrex; use the version that wrote it")


def schema(connection: Connection) -> str | None:
    """Return the schema of a database: the name of its last migration; ``None`` if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, to: str = "heads") -> None:
    """Apply all migrations, or those up to a schema, on an open connection.

    :raises UnknownSchemaError: if there is no such schema, or the database has another that is not known.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError:
        raise UnknownSchemaError(schema(connection) if to == "heads" else to) from None
