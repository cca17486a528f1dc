"""Guests: every player has a name and a token, and the token alone identifies them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Container

from sqlalchemy import select

from acedrex.server import ids, wire
from acedrex.server.people.names import clean_name
from acedrex.server.storage.store import NEW_GUEST, RENAME, Store
from acedrex.server.storage.tables import guests
from acedrex.server.time_source import now

#: The number of tokens cached, which saves a query for each request, and seconds after which their guests are read
#: again: another process may have renamed or deleted them.
CACHE_SIZE, CACHE_SECONDS = 20_000, 10.0

#: What a guest without a name is called, by the language of the browser.
GUEST = {"en": "Guest", "fr": "Invité"}


class People:
    """Guests by their tokens."""

    def __init__(self, store: Store) -> None:
        """Start with an empty cache."""
        self._store = store
        self._cache: OrderedDict[str, tuple[wire.Guest, float]] = OrderedDict()
        #: The people whose data is being deleted; their tokens are not valid, even if one is cached.
        self.gone: Container[str] = frozenset()

    async def make(self, name: str | None, language: str = "en") -> wire.Guest:
        """Create a guest; without a name, one in ``language`` is made up. The token is never returned again."""
        id, token = ids.new_id(), ids.new_secret()
        name = clean_name(name) if name is not None else f"{GUEST[language]} {ids.random_below(9000) + 1000}"
        row = {"id": id, "name": name, "token_hash": ids.hashed(token), "at": now()}
        await self._store.write((NEW_GUEST, row))
        return wire.Guest(id, name, token)

    async def find(self, token: str) -> wire.Guest | None:
        """Find the guest of a token."""
        key = ids.hashed(token)
        cached = self._cache.get(key)
        if cached is not None and time.monotonic() - cached[1] < CACHE_SECONDS:
            return None if cached[0].id in self.gone else cached[0]
        row = await self._store.first(select(guests.c.id, guests.c.name).where(guests.c.token_hash == key))
        if row is None or row.id in self.gone:
            self._cache.pop(key, None)
            return None
        return self._keep(key, wire.Guest(row.id, row.name))

    async def rename(self, token: str, guest: wire.Guest, name: str) -> wire.Guest:
        """Rename a guest, for future matches."""
        renamed = wire.Guest(guest.id, clean_name(name))
        await self._store.write((RENAME, {"_id": guest.id, "_name": renamed.name}))
        return self._keep(ids.hashed(token), renamed)

    def _keep(self, key: str, guest: wire.Guest) -> wire.Guest:
        self._cache[key] = guest, time.monotonic()
        self._cache.move_to_end(key)
        if len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        return guest
