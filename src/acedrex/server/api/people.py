"""People over HTTP: how one becomes a guest and is renamed, and who makes a request."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import or_, select

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people.people import GUEST
from acedrex.server.people.profiles import match_cards
from acedrex.server.people.sessions import Session, device_of
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, services_of
from acedrex.server.storage import cards
from acedrex.server.storage.tables import matches

router = Routes("/api", "people")


def token_of(request: Request) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


def device(request: Request) -> str:
    """Return what the browser of a request is called in the list of sessions."""
    return device_of(request.headers.get("user-agent", ""))


async def current_session(request: Request) -> Session:
    """Return the session of a request.

    :raises Refusal: if there is no token, or it is unknown.
    """
    token = token_of(request)
    if token is None:
        raise Refusal("unknown_guest", "this needs a token: POST /api/guests, then send Authorization: Bearer TOKEN")
    found = await services_of(request).sessions.find(token)
    if found is None:
        raise Refusal("unknown_guest", "unknown token; POST /api/guests creates one")
    spend(request, "acting", person=found.person.id)
    services_of(request).presence.note(found.person.id)
    return found


CurrentSession = Annotated[Session, Depends(current_session)]


async def current_person(session: CurrentSession) -> wire.Person:
    """Return the person who makes a request."""
    return session.person


CurrentPerson = Annotated[wire.Person, Depends(current_person)]


#: The matches in progress, and those that are over, in the list of one's own.
MAX_RUNNING, MAX_OVER = 400, 100


@router.post("/guests", status_code=201, responses=refused(409))
async def new_guest(request: Request, body: wire.NewGuest) -> wire.Person:
    """Create a guest. The token is shown only once; anyone who has it is this guest."""
    spend(request, "guests")
    preferred = re.split("[-,;]", request.headers.get("accept-language", "").lower())[0]
    language = preferred if preferred in GUEST else "en"
    return await services_of(request).people.make(body.name, language, device(request))


@router.get("/me", responses=refused(401))
async def me(person: CurrentPerson) -> wire.Person:
    """Return the person of the token."""
    return person


@router.patch("/me", responses=refused(401, 409))
async def rename(services: Served, person: CurrentPerson, body: wire.Rename) -> wire.Person:
    """Rename a guest, for future matches."""
    return await services.people.rename(person, body.name)


@router.get("/me/matches", responses=refused(401))
async def own_matches(services: Served, person: CurrentPerson) -> list[wire.MatchCard]:
    """List one's own matches: those in progress, and the latest of those that are over, each the latest first."""
    mine = or_(matches.c.white == person.id, matches.c.black == person.id)
    latest = select(matches.c.card).where(mine).order_by(matches.c.at.desc())
    rows = [
        *await services.store.all(latest.where(matches.c.phase != "over").limit(MAX_RUNNING)),
        *await services.store.all(latest.where(matches.c.phase == "over").limit(MAX_OVER)),
    ]
    return await match_cards(services.store, [cards.read(row.card) for row in rows], person.id)
