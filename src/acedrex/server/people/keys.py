"""Keys of the server, made when they are first needed and stored in the database, for all of its processes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import insert, select

from acedrex.server.storage.store import ConflictError, Store
from acedrex.server.storage.tables import server_keys

NEW = insert(server_keys)


class ServerKeys:
    """The keys of the server."""

    def __init__(self, store: Store) -> None:
        """Start without any that were read."""
        self._store = store
        self._known: dict[str, str] = {}

    async def get(self, purpose: str, make: Callable[[], str]) -> str:
        """Return a key, which is made if there is none."""
        query = select(server_keys.c.value).where(server_keys.c.purpose == purpose)
        if purpose not in self._known:
            if await self._store.first(query) is None:
                with suppress(ConflictError):  # Another process has just made it.
                    await self._store.write((NEW, {"purpose": purpose, "value": make()}))
            row = await self._store.first(query)
            assert row is not None
            self._known[purpose] = row.value
        return self._known[purpose]
