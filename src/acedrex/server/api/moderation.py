"""Reports, and what moderators do."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.analysis import fair_play
from acedrex.server.api.games import Language
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.match.views import may_read
from acedrex.server.people import moderation, relations
from acedrex.server.people.messages import pair
from acedrex.server.people.relations import Known
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.storage.tables import chat, messages

router = Routes("/api", "moderation")


async def moderator(services: Served, person: CurrentPerson) -> wire.Person:
    """Return the moderator who makes a request.

    :raises Refusal: if the person is none.
    """
    if not await moderation.is_moderator(services.store, person.id):
        raise Refusal("no_moderator", "only moderators may do this")
    return person


Moderator = Annotated[wire.Person, Depends(moderator)]


@router.post("/reports", status_code=204, responses=refused(401, 403, 404))
async def report(request: Request, services: Served, me: CurrentPerson, body: wire.NewReport) -> None:
    """Report a person, a line of chat or a message that one can read to the moderators."""
    spend(request, "reports", person=me.id)
    person = await relations.find(services.store, me.id, body.who)
    match, _, line = body.who.partition(".")
    if body.message is not None:
        match_id, id, text = None, body.message, await _message(services, me, person, body.message)
    elif line and line not in ("white", "black"):
        match_id, id, text = match, int(line), await _line(services, me, match, int(line))
    else:
        match_id, id, text = (match if line else None), None, ""
    await moderation.report(services.store, me.id, person, body.reason, match_id, id, text)


async def _message(services: Services, me: wire.Person, sender: Known, id: int) -> str:
    """Return the text of a message to a person.

    :raises Refusal: if there is none.
    """
    low, high = pair(me.id, sender.id)
    place = (messages.c.low == low, messages.c.high == high, messages.c.id == id, messages.c.sender == sender.id)
    row = await services.store.first(select(messages.c.text).where(*place))
    if row is None:
        raise Refusal("no_such_line", "there is no such message to you", "message")
    return str(row.text)


async def _line(services: Services, me: wire.Person, match: str, id: int) -> str:
    """Return the text of a line of chat that a person may read.

    :raises Refusal: if there is none.
    """
    row = await services.store.first(select(chat.c.text, chat.c.by).where(chat.c.match == match, chat.c.id == id))
    on = (await services.rooms.get(match)).match
    if row is None or not may_read(on, on.seat(me.id), row.by):
        raise Refusal("no_such_line", "there is no such line that you can read", "who")
    return str(row.text)


@router.get("/moderation/reports", responses=refused(401, 403))
async def reports(services: Served, _: Moderator) -> list[wire.Report]:
    """List the open reports, the oldest first, with what was reported and what stands around it."""
    return await moderation.open_reports(services.store)


@router.post("/moderation/actions", status_code=204, responses=refused(401, 403, 404, 409))
async def act(services: Served, by: Moderator, body: wire.Action) -> None:
    """Do something about the person of a report, which settles it, or about somebody with an account.

    Whose account is closed is signed out everywhere; their open challenges are withdrawn, and their matches aborted or,
    once both sides have moved, resigned. Everything is written into the log.
    """
    person = await moderation.act(services.store, by, body)
    if body.action in ("close", "rename"):
        services.end_sessions(person.id)
        services.closing.wake()
        services.renaming.wake()


@router.get("/moderation/fair-play", responses=refused(401, 403))
async def compared(services: Served, _: Moderator, lang: Language) -> wire.FairPlay:
    """Compare the players of rated matches: how often they made the engine's first choice, and what their moves lost.

    Only positions count that were neither forced nor decided. Nothing follows from the numbers by itself.
    """
    names: dict[str | None, str] = {one.id: one.name for one in services.catalogue.summaries(lang)}
    return wire.FairPlay(services.settings.fair_play, await fair_play.summary(services.store, names))


@router.get("/moderation/log", responses=refused(401, 403))
async def log(
    services: Served, _: Moderator, before: Annotated[int | None, Query(ge=0, le=2**62)] = None
) -> wire.LogPage:
    """List what moderators and the operator have done, the latest first. Nobody can change it."""
    return await moderation.log(services.store, before)
