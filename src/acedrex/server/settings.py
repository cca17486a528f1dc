"""The server's settings, from its command line and environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs
from msgspec import Struct
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from acedrex.errors import Error

#: The environment variable that passes the settings to worker processes.
VARIABLE = "ACEDREX_SERVER_SETTINGS"
#: Kinds of databases, and their drivers.
DRIVERS = {"postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg", "sqlite": "sqlite+aiosqlite"}


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    database: str
    redis: str | None = None
    games: str | None = None
    #: Who can publish games, into a folder below that of `games`, and the key that signs publishers' tokens.
    publish: Literal["nobody", "tokens", "everybody"] = "nobody"
    publish_key: str | None = None
    #: Who can make tournaments, besides moderators.
    tournaments: Literal["nobody", "accounts", "everybody"] = "accounts"
    root_path: str = ""
    #: Who can make an account.
    sign_ups: Literal["open", "invitation", "closed"] = "open"
    #: The server that sends mails, `smtp://` or `smtps://`, and the address from which they come.
    smtp: str | None = None
    mail_from: str | None = None
    #: Whether rated matches are compared with the engine's moves in idle time, for moderators.
    fair_play: bool = True
    #: The URLs of channels that hear of public challenges and results, as Apprise reads them.
    hooks: tuple[str, ...] = ()
    #: Push services besides those of browsers, by the beginning of their URLs.
    push_services: tuple[str, ...] = ()
    workers: int = 1
    #: The URLs of the server: it answers requests to their host names, and their pages may open sockets.
    origins: tuple[str, ...] = ()
    engines: int = max(1, (os.cpu_count() or 2) - 1)

    def export(self) -> None:
        """Pass the settings to worker processes, in the environment."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()


def exported() -> Settings:
    """Return the settings that the supervisor exported."""
    return msgspec.json.decode(os.environ[VARIABLE], type=Settings)


def database_url() -> str:
    """Return the URL in ACEDREX_DATABASE_URL, or that of a file in the user's data folder."""
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

    :raises Error: if it is not the URL of a supported database, or its folder does not exist.
    """
    scheme, colon, rest = url.partition(":")
    try:
        parsed = make_url(DRIVERS.get(scheme, scheme) + colon + rest)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername not in DRIVERS.values():
        # The URL may have a password in it, so the message does not repeat it.
        raise Error("ACEDREX_DATABASE_URL must be sqlite:///file.db or postgresql://user:password@host/name")
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        folder = Path(parsed.database).parent
        if not folder.is_dir():
            raise Error(f"cannot open the database {parsed.database}: there is no folder {folder}")
    return parsed.render_as_string(hide_password=False)
