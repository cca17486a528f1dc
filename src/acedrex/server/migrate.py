"""Brings a database to the present shape."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
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


def upgrade(connection: Connection) -> None:
    """Take all steps on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "heads")
