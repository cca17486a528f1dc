"""Notifications over HTTP: of what one is notified, in which browsers, and how mails are stopped."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson, CurrentSession
from acedrex.server.api.routes import Routes, refused
from acedrex.server.services import Served

router = Routes("/api", "notifications")


@router.get("/me/notifications", responses=refused(401))
async def notifications(services: Served, session: CurrentSession) -> wire.Notifications:
    """Return of what one is notified, and how."""
    reach = await services.notices.reach(session.person.id)
    return wire.Notifications(
        settings=wire.NotificationSettings() if reach is None else reach.settings,
        key=await services.pushing.public_key(),
        here=await services.pushing.is_subscribed(session),
        browsers=0 if reach is None else len(reach.browsers),
        mail=None if reach is None else reach.mail,
        mails=services.outbox.is_open,
    )


@router.put("/me/notifications", responses=refused(401))
async def change(services: Served, person: CurrentPerson, body: wire.NotificationSettings) -> None:
    """Change of what one is notified, and how."""
    await services.notices.set(person.id, body)


@router.put("/me/push", responses=refused(401, 409))
async def subscribe(request: Request, services: Served, session: CurrentSession, body: wire.NewSubscription) -> None:
    """Send notifications to the browser of the session, until the session ends."""
    spend(request, "subscriptions", person=session.person.id)
    await services.pushing.subscribe(session, body)


@router.delete("/me/push", responses=refused(401))
async def unsubscribe(services: Served, session: CurrentSession) -> None:
    """Send no more notifications to the browser of the session."""
    await services.pushing.unsubscribe(session)


@router.post("/mail/stop", responses=refused(403))
async def stop_mails(services: Served, secret: Annotated[str, Query(max_length=200)]) -> None:
    """Stop all mails about matches and messages, with the secret of a link in one of them (RFC 8058)."""
    await services.notices.stop_mails(secret)
