"""Guests: every player has a name and a token, and the token alone identifies them."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Container
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import or_, select

from acedrex.server import ids, wire
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Routes, refused
from acedrex.server.match.decide import Refusal
from acedrex.server.people.names import clean_name
from acedrex.server.services import Served, services_of
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_GUEST, RENAME, Store
from acedrex.server.storage.tables import guests, matches
from acedrex.server.time_source import now

router = Routes("/api", "people")

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


def token_of(request: Request) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


async def current_guest(request: Request) -> wire.Guest:
    """Return the guest who makes a request.

    :raises Refusal: if there is no token, or it is unknown.
    """
    token = token_of(request)
    if token is None:
        raise Refusal(
            "unknown_guest", "this needs a guest token: POST /api/guests, then send Authorization: Bearer TOKEN"
        )
    found = await services_of(request).people.find(token)
    if found is None:
        raise Refusal("unknown_guest", "unknown token; POST /api/guests creates one")
    spend(request, "acting", person=found.id)
    return found


CurrentGuest = Annotated[wire.Guest, Depends(current_guest)]


@router.post("/guests", status_code=201)
async def new_guest(request: Request, body: wire.NewGuest) -> wire.Guest:
    """Create a guest. The token is shown only once; anyone who has it is this guest."""
    spend(request, "guests")
    preferred = re.split("[-,;]", request.headers.get("accept-language", "").lower())[0]
    return await services_of(request).people.make(body.name, preferred if preferred in GUEST else "en")


@router.get("/me", responses=refused(401))
async def me(guest: CurrentGuest) -> wire.Guest:
    """Return the guest of the token."""
    return guest


@router.patch("/me", responses=refused(401))
async def rename(request: Request, guest: CurrentGuest, body: wire.Rename) -> wire.Guest:
    """Rename the guest, for future matches."""
    return await services_of(request).people.rename(token_of(request) or "", guest, body.name)


@router.get("/me/matches", responses=refused(401))
async def own_matches(services: Served, guest: CurrentGuest) -> list[wire.MatchCard]:
    """List the guest's matches, the latest first."""
    mine = or_(matches.c.white == guest.id, matches.c.black == guest.id)
    rows = await services.store.all(select(matches.c.card).where(mine).order_by(matches.c.at.desc()).limit(100))
    return [cards.read(row.card).match_card(guest.id) for row in rows]
