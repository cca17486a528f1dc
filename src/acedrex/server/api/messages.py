"""Private messages, and what a person should know when they come."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query, Request

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.profiles import Who
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people import messages, moderation, relations, standing
from acedrex.server.people.names import clean_text
from acedrex.server.services import Served

router = Routes("/api/me", "messages")


@router.get("/news", responses=refused(401))
async def news(services: Served, me: CurrentPerson) -> wire.News:
    """Return the number of conversations with unread messages, and what a moderator has done to one, and why."""
    store = services.store
    moderates = await moderation.is_moderator(store, me.id)
    return wire.News(
        unread=await messages.unread(store, me.id),
        messages=await messages.takes_messages(store, me.id),
        notices=await standing.notices(store, me.id),
        reports=await moderation.count_open(store) if moderates else None,
    )


@router.delete("/news/renamed", responses=refused(401))
async def seen(services: Served, me: CurrentPerson) -> None:
    """Note that one has seen that a moderator has changed one's name."""
    await services.store.write((standing.SEEN, {"_person": me.id}))


@router.put("/messages", responses=refused(401))
async def set_taking(services: Served, me: CurrentPerson, body: wire.Reception) -> None:
    """Set whether one takes messages. By default those with an account do, and guests do not."""
    await messages.set_taking(services.store, me.id, body.messages)


@router.get("/messages", responses=refused(401))
async def conversations(request: Request, services: Served, me: CurrentPerson) -> list[wire.Conversation]:
    """List one's conversations, the latest first."""
    spend(request, "work")
    listed = await messages.listed(services.store, me.id)
    online = services.presence.online([person.id for person, _ in listed])
    return [
        wire.Conversation(
            who=person.who,
            name=person.name,
            account=person.account,
            online=person.id in online,
            text=row.text[: messages.SHOWN],
            at=row.at,
            unread=bool(row.unread),
        )
        for person, row in listed
    ]


@router.get("/messages/{who}", responses=refused(401, 404))
async def conversation(
    request: Request,
    services: Served,
    me: CurrentPerson,
    who: Who,
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> wire.MessagePage:
    """Return the latest messages of a conversation, or those before one of them."""
    spend(request, "work")
    store = services.store
    person = await relations.find(store, me.id, who)
    found, more = await messages.page(store, me.id, person.id, before)
    return wire.MessagePage(
        name=person.name,
        account=person.account,
        online=bool(services.presence.online([person.id])),
        messages=found,
        more=more,
        writes=await messages.may_write(store, me.id, person.id),
        blocks=person.id in await relations.blocked_by(store, me.id),
    )


@router.put("/messages/{who}/read", responses=refused(401, 404))
async def read(services: Served, me: CurrentPerson, who: Who) -> None:
    """Note that one has read a conversation."""
    person = await relations.find(services.store, me.id, who)
    await messages.read(services.store, me.id, person.id)


@router.post("/messages/{who}", status_code=201, responses=refused(401, 403, 404))
async def send(request: Request, services: Served, me: CurrentPerson, who: Who, body: wire.NewMessage) -> wire.Message:
    """Write to somebody whom one has played with, if both take messages."""
    spend(request, "private messages", person=me.id)
    person = await relations.find(services.store, me.id, who)
    notify = partial(services.notices.message_step, person.id, me)
    sent = await messages.send(services.store, me.id, person.id, clean_text(body.text), notify)
    for one in (me.id, person.id):
        services.tell_of_message(one)
    return sent
