"""Brings a database to the present shape."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection

from acedrex.server.store import connect


def migrate(url: str) -> None:
    """Take all steps that a database has not taken yet; a new one takes them all."""
    asyncio.run(_migrate(url))


async def _migrate(url: str) -> None:
    engine = connect(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade)
    await engine.dispose()


class UnknownSchemaError(Exception):
    """No step leads to a shape of this name."""


def shape(connection: Connection) -> str | None:
    """Give the last step that a database has taken; `None` if it has taken none."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, to: str = "heads") -> None:
    """Take all steps, or those up to a shape, on an open connection.

    :raises UnknownShapeError: if there is no such shape.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError:
        raise UnknownSchemaError(to) from None
