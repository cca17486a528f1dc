"""Guests: whoever plays has a name and a token, and the token is all there is to prove it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import or_, select

from acedrex.server import cards, secret, wire
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.services import Served, services_of
from acedrex.server.decide import Refusal
from acedrex.server.moment import now
from acedrex.server.names import named
from acedrex.server.store import NEW_GUEST, RENAME, Store
from acedrex.server.tables import guests, matches

router = Routes("/api", "people")

#: Tokens that are remembered, so that the database is not asked each time.
REMEMBERED = 20_000


class People:
    """Guests by their tokens."""

    def __init__(self, store: Store) -> None:
        """Begin without any."""
        self._store = store
        self._known: OrderedDict[str, wire.Guest] = OrderedDict()

    async def make(self, name: str | None) -> wire.Guest:
        """Make a guest: the token is told here and never again."""
        id, token = secret.new_id(), secret.new_secret()
        name = named(name) if name is not None else f"Guest {secret.below(9000) + 1000}"
        row = {"id": id, "name": name, "token_hash": secret.hashed(token), "at": now()}
        await self._store.write((NEW_GUEST, row))
        return wire.Guest(id, name, token)

    async def find(self, token: str) -> wire.Guest | None:
        """Find whose token it is."""
        key = secret.hashed(token)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        row = await self._store.first(select(guests.c.id, guests.c.name).where(guests.c.token_hash == key))
        if row is None:
            return None
        self._known[key] = wire.Guest(row.id, row.name)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return self._known[key]

    async def rename(self, token: str, guest: wire.Guest, name: str) -> wire.Guest:
        """Give a guest a new name, for matches to come."""
        renamed = wire.Guest(guest.id, named(name))
        await self._store.write((RENAME, {"_id": guest.id, "_name": renamed.name}))
        self._known[secret.hashed(token)] = renamed
        return renamed


def token_of(request: Request) -> str | None:
    """Give the token that a request carries."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


async def guest(request: Request) -> wire.Guest:
    """Tell who asks.

    :raises Refusal: if they do not say, or say it with a token that nobody has.
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


CurrentGuest = Annotated[wire.Guest, Depends(guest)]


@router.post("/guests", status_code=201)
async def new_guest(request: Request, asked: wire.NewGuest) -> wire.Guest:
    """Become a guest. The token is told once: who has it is this guest."""
    spend(request, "guests")
    return await services_of(request).people.make(asked.name)


@router.get("/me", responses=refused(401))
async def me(who: CurrentGuest) -> wire.Guest:
    """Tell who the token's guest is."""
    return who


@router.patch("/me", responses=refused(401))
async def rename(request: Request, who: CurrentGuest, asked: wire.Rename) -> wire.Guest:
    """Change the guest's name, for matches to come."""
    return await services_of(request).people.rename(token_of(request) or "", who, asked.name)


@router.get("/me/matches", responses=refused(401))
async def own_matches(services: Served, who: CurrentGuest) -> list[wire.MatchCard]:
    """List the guest's matches, the latest first."""
    mine = or_(matches.c.white == who.id, matches.c.black == who.id)
    rows = await services.store.all(select(matches.c.card).where(mine).order_by(matches.c.at.desc()).limit(100))
    return [cards.read(row.card).told(who.id) for row in rows]
