"""One server for a file of SQLite: another that began to write it would not see this one's matches go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from sqlalchemy import make_url

from acedrex.errors import Error


@contextmanager
def claimed(database: str) -> Iterator[None]:
    """Hold a database of SQLite for this process; the system lets go when the process ends, however it does.

    Databases of other kinds may be shared.

    :raises Error: if another process holds it.
    """
    url = make_url(database)
    if url.get_backend_name() != "sqlite" or not url.database:
        yield
        return
    with ExitStack() as held:
        try:
            # A file of its own, since the database itself must stay open to backups.
            lock = held.enter_context(closing(sqlite3.connect(f"{url.database}.lock", timeout=0, isolation_level=None)))
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise Error(f"cannot open the database {url.database}: {error}") from None
            raise Error(
                f"another server uses the database {url.database}; stop it, or give both of them one in PostgreSQL "
                "(ACEDREX_DATABASE_URL=postgresql://...)"
            ) from None
        yield
