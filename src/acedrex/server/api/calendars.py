"""Calendars of tournaments, and of one's own appointments, for programs that read iCalendar."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request, Response
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.api.bots import base_of
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.services import Served
from acedrex.server.storage.tables import tournaments
from acedrex.server.tournaments import calendars
from acedrex.server.tournaments.calendars import MOST
from acedrex.server.tournaments.store import row_of

router = Routes("/api", "calendars")

ICAL = "text/calendar"
Secret = Annotated[str, Path(max_length=64)]


def _file(request: Request, name: str, entries: list[calendars.Entry]) -> Response:
    host = request.url.hostname or "acedrex"
    return Response(calendars.calendar(name, entries, host), media_type=ICAL, headers={"X-Robots-Tag": "noindex"})


@router.get("/calendars/tournaments.ics")
async def all_tournaments(request: Request, services: Served) -> Annotated[Response, "text/calendar"]:
    """Return a calendar of the tournaments that are played or to come."""
    spend(request, "work", 4)
    query = select(tournaments).where(tournaments.c.phase.in_(("open", "running")))
    rows = await services.store.all(query.order_by(tournaments.c.starts_at).limit(MOST))
    return _file(request, "Acedrex", [calendars.tournament_entry(row, base_of(request)) for row in rows])


@router.get("/calendars/tournaments/{id}.ics", responses=refused(404))
async def one_tournament(
    request: Request, services: Served, id: Annotated[str, Path(max_length=32)]
) -> Annotated[Response, "text/calendar"]:
    """Return a calendar of a tournament: its start, and all appointments."""
    spend(request, "work", 4)
    row, home = await row_of(services.store, id), base_of(request)
    entered = await services.tournaments.entrants(id)
    async with services.tournaments.hold(id) as t:
        names = {player: who.name for player, who in entered.items()}
        found = calendars.appointments(t, row.name, names, home, None)
    return _file(request, row.name, [calendars.tournament_entry(row, home), *found])


@router.get("/calendars/own/{secret}.ics", responses=refused(403))
async def own(request: Request, services: Served, secret: Secret) -> Annotated[Response, "text/calendar"]:
    """Return a person's calendar: the tournaments in which they play, and their appointments, with reminders.

    Whoever has the address can read it.
    """
    spend(request, "work", 8)
    person = await calendars.owner(services.store, secret)
    found = _file(request, "Acedrex", await calendars.own_entries(services.tournaments, person, base_of(request)))
    found.headers["Cache-Control"] = "no-store"
    return found


@router.get("/me/calendar", responses=refused(401))
async def has_calendar(services: Served, me: CurrentPerson) -> wire.OwnCalendar:
    """Say whether one has a calendar; its address is shown only when it is made."""
    return wire.OwnCalendar(await calendars.has_one(services.store, me.id), None)


@router.post("/me/calendar", responses=refused(401))
async def new_calendar(request: Request, services: Served, me: CurrentPerson) -> wire.OwnCalendar:
    """Give one's calendar a new address; the old one stops to work."""
    spend(request, "entries", person=me.id)
    secret = await calendars.renew(services.store, me.id)
    return wire.OwnCalendar(True, f"/api/calendars/own/{secret}.ics")


@router.delete("/me/calendar", responses=refused(401))
async def no_calendar(services: Served, me: CurrentPerson) -> None:
    """Stop one's calendar."""
    await calendars.stop(services.store, me.id)
