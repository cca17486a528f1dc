"""Guests over HTTP: how one becomes a guest and is renamed, and who makes a request."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import or_, select

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people.guests import GUEST
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, services_of
from acedrex.server.storage import cards
from acedrex.server.storage.tables import matches

router = Routes("/api", "people")


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
