"""Invitations: with one of the operator's somebody can make an account where not everybody can."""

from __future__ import annotations

import asyncio

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from acedrex.errors import Error
from acedrex.server.people.codes import code_hash, new_code
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Step, Store
from acedrex.server.storage.tables import invitations
from acedrex.server.time_source import now

#: Letters of an invitation, and milliseconds of a day.
LENGTH, DAY = 20, 86_400_000

NEW = insert(invitations)
USED = delete(invitations).where(invitations.c.invitation_hash == bindparam("_invitation"))
EXPIRED = delete(invitations).where(invitations.c.until <= bindparam("_now"))


async def check(store: Store, code: str | None) -> str:
    """Return the hash of an invitation that is valid.

    :raises Refusal: if it is not, or there is none.
    """
    if not code:
        raise Refusal("wrong_invitation", "accounts here are by invitation; ask the operator for one", "invitation")
    key = code_hash(code)
    query = select(invitations).where(invitations.c.invitation_hash == key, invitations.c.until > now())
    if await store.first(query) is None:
        raise wrong_invitation()
    return key


def wrong_invitation() -> Refusal:
    """Return the refusal of an invitation that is unknown, used or expired."""
    return Refusal("wrong_invitation", "this invitation is not valid any more; ask for a new one", "invitation")


def used(key: str) -> Step:
    """Return the step that makes an invitation void."""
    return (USED, {"_invitation": key})


def invite(url: str, count: int, days: int) -> list[str]:
    """Store invitations in a database, and return their codes, which are not stored.

    :raises Error: if the database cannot be used.
    """
    try:
        return asyncio.run(_invite(url, count, days))
    except (SQLAlchemyError, BusyError) as error:
        raise Error(f"cannot use the database: {getattr(error, 'orig', None) or type(error).__name__}") from None


async def _invite(url: str, count: int, days: int) -> list[str]:
    store = Store(url)
    await store.open()
    try:
        codes = [new_code(LENGTH) for _ in range(count)]
        until = now() + days * DAY
        rows: list[Step] = [(NEW, {"invitation_hash": code_hash(code), "until": until}) for code in codes]
        await store.write((EXPIRED, {"_now": now()}), *rows)
        return codes
    finally:
        await store.close()
