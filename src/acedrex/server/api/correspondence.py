"""Correspondence over HTTP: days off, conditional moves, and notes about matches."""

from __future__ import annotations

from contextlib import suppress

from fastapi import Request
from sqlalchemy import or_, select, text

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.matches import MatchId
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people import days_off
from acedrex.server.play import conditional
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.storage.tables import matches, notes
from acedrex.server.time_source import now

router = Routes("/api", "correspondence")

#: SQLite and PostgreSQL share this syntax.
SAVE_NOTE = text(
    "INSERT INTO notes (match, person, text, at) VALUES (:match, :person, :text, :at) "
    "ON CONFLICT (match, person) DO UPDATE SET text = excluded.text, at = excluded.at"
)


@router.get("/me/days-off", responses=refused(401))
async def own_days_off(services: Served, person: CurrentPerson) -> wire.DaysOff:
    """Return until when one has days off, and how many one has left."""
    return await days_off.read(services.store, person.id)


@router.post("/me/days-off", responses=refused(401, 409))
async def take_days_off(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewDaysOff
) -> wire.DaysOff:
    """Begin days off: one's clocks by correspondence do not run until they end."""
    spend(request, "work", 20)
    await days_off.take(services.store, person.id, body.days)
    return await _apply(services, person.id)


@router.delete("/me/days-off", responses=refused(401, 409))
async def end_days_off(request: Request, services: Served, person: CurrentPerson) -> wire.DaysOff:
    """End one's days off; what is left of them is saved."""
    spend(request, "work", 20)
    await days_off.end(services.store, person.id)
    return await _apply(services, person.id)


async def _apply(services: Services, person: str) -> wire.DaysOff:
    """Stop or start the clocks now. A match that this does not reach does so before it is next considered."""
    plays = or_(matches.c.white == person, matches.c.black == person)
    query = select(matches.c.id).where(plays, matches.c.phase.in_(("setup", "play")), matches.c.deadline.is_not(None))
    for row in await services.store.all(query):
        with suppress(Refusal):  # It may be that it cannot be read.
            await (await services.rooms.get(row.id)).resume()
    return await days_off.read(services.store, person)


@router.get("/matches/{id}/conditional-moves", responses=refused(401, 403, 404, 409))
async def own_conditional_moves(services: Served, id: MatchId, person: CurrentPerson) -> wire.ConditionalMoves:
    """Return one's conditional moves in a match."""
    return await conditional.read(services.rooms, id, person.id)


@router.put("/matches/{id}/conditional-moves", responses=refused(401, 403, 404, 409))
async def leave_conditional_moves(
    request: Request, services: Served, id: MatchId, person: CurrentPerson, body: wire.ConditionalMoves
) -> wire.ConditionalMoves:
    """Leave conditional moves in a match, instead of those that one had."""
    spend(request, "work", 10)
    await conditional.store(services.rooms, id, person.id, body.lines)
    return await conditional.read(services.rooms, id, person.id)


@router.get("/matches/{id}/note", responses=refused(401, 404))
async def own_note(services: Served, id: MatchId, person: CurrentPerson) -> wire.Note:
    """Return what one has noted about a match."""
    query = select(notes.c.text).where(notes.c.match == id, notes.c.person == person.id)
    row = await services.store.first(query)
    return wire.Note("" if row is None else row.text)


@router.put("/matches/{id}/note", responses=refused(401, 403, 404))
async def note(request: Request, services: Served, id: MatchId, person: CurrentPerson, body: wire.Note) -> None:
    """Note something about a match that one plays, or has played, for oneself."""
    spend(request, "work", 4)
    row = await services.store.first(select(matches.c.white, matches.c.black).where(matches.c.id == id))
    if row is None:
        raise Refusal("no_such_match", "match not found", "match")
    if person.id not in (row.white, row.black):
        raise Refusal("no_seat", "only the players can do this; you are a spectator")
    await services.store.write((SAVE_NOTE, {"match": id, "person": person.id, "text": body.text, "at": now()}))
