"""What moderators have done to people and is still in force: who is muted, whose account is closed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, bindparam, delete, or_, select

from acedrex.server import wire
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import sanctions
from acedrex.server.time_source import now

OF = select(sanctions).where(sanctions.c.person == bindparam("person")).order_by(sanctions.c.kind)
#: Stands for somebody whose old name is still to be replaced where it is stored.
RENAMING = "renaming"
SEEN = delete(sanctions).where(sanctions.c.person == bindparam("_person"), sanctions.c.kind == "renamed")


def closed() -> Select[Any]:
    """Select the people whose accounts are closed."""
    return select(sanctions.c.person).where(sanctions.c.kind == "closed")


async def notices(store: Store, person: str) -> list[wire.Notice]:
    """Return what is in force against a person."""
    rows = await store.all(OF, person=person)
    return [
        wire.Notice(row.kind, row.reason, row.until, row.at)
        for row in rows
        if row.kind != RENAMING and (row.until is None or row.until > now())
    ]


async def check_open(store: Store, person: str) -> None:
    """Check that a person may sign in.

    :raises Refusal: if a moderator has closed the account.
    """
    for notice in await notices(store, person):
        if notice.kind == "closed":
            raise Refusal("account_closed", f"this account was closed: {notice.reason}")


async def check_may_write(store: Store, person: str) -> None:
    """Check that a person may write to others.

    :raises Refusal: if a moderator has muted them; the refusal says until when and why.
    """
    query = select(sanctions.c.until, sanctions.c.reason).where(
        sanctions.c.person == person,
        sanctions.c.kind == "muted",
        or_(sanctions.c.until.is_(None), sanctions.c.until > now()),
    )
    row = await store.first(query)
    if row is not None:
        hours = max(1, round(((row.until or 0) - now()) / 3_600_000))
        raise Refusal("muted", f"a moderator has muted you for {hours} more hours: {row.reason}")
