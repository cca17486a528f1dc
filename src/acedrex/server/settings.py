"""What the server is told by its command line and its environment."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs
from msgspec import Struct
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from acedrex.errors import Error

#: Where settings wait for the worker processes.
VARIABLE = "ACEDREX_SERVER_SETTINGS"
#: Kinds of databases, and what speaks to them.
DRIVERS = {"postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg", "sqlite": "sqlite+aiosqlite"}


class Settings(Struct, frozen=True, kw_only=True):
    """How the server runs."""

    database: str
    redis: str | None = None
    games: str | None = None
    root_path: str = ""
    workers: int = 1
    #: Where the server is shown: by the names in them it may be asked, and from pages there sockets may be opened.
    origins: tuple[str, ...] = ()
    engines: int = max(1, (os.cpu_count() or 2) - 1)

    def hand_on(self) -> None:
        """Leave the settings to worker processes."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()


def handed_on() -> Settings:
    """Take the settings that were left."""
    return msgspec.json.decode(os.environ[VARIABLE], type=Settings)


def database_url() -> str:
    """Give the database that ACEDREX_DATABASE_URL names, or the file in the user's data folder."""
    url = os.environ.get("ACEDREX_DATABASE_URL")
    if url:
        return async_url(url)
    folder = Path(platformdirs.user_data_dir("acedrex", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite+aiosqlite:///{folder / 'acedrex.db'}"


def async_url(url: str) -> str:
    """Add the driver to a URL that names only the kind of database.

    >>> async_url("postgresql://db/acedrex")
    'postgresql+asyncpg://db/acedrex'

    :raises Error: if it is no URL of a database that Acedrex knows, or its folder is not there.
    """
    scheme, colon, rest = url.partition(":")
    try:
        whole = make_url(DRIVERS.get(scheme, scheme) + colon + rest)
    except (ArgumentError, ValueError):
        whole = None
    if whole is None or whole.drivername not in DRIVERS.values():
        # The URL may have a password in it, so it is not repeated.
        raise Error("ACEDREX_DATABASE_URL must be sqlite:///file.db or postgresql://user:password@host/name")
    if whole.get_backend_name() == "sqlite" and whole.database:
        folder = Path(whole.database).parent
        if not folder.is_dir():
            raise Error(f"cannot open the database {whole.database}: there is no folder {folder}")
    return whole.render_as_string(hide_password=False)
