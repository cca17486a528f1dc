"""What the operator does by command: names moderators, and acts on anybody, also on moderators."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from acedrex.errors import Error
from acedrex.server import wire
from acedrex.server.people import moderation, relations
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Store

T = TypeVar("T")


def moderators(url: str, add: str | None, remove: str | None) -> list[str]:
    """Make somebody a moderator or end that, and return the names of the moderators.

    :raises Error: if there is no such account, there is nothing to change, or the database cannot be used.
    """

    async def work(store: Store) -> list[str]:
        if (name := add or remove) is not None:
            person = await relations.with_account(store, name, closed=remove is not None)
            await moderation.appoint(store, person, on=add is not None)
        return [person.name for person in await moderation.named(store)]

    return _run(url, work)


def moderate(url: str, action: str, who: str, reason: str, hours: int | None, name: str | None) -> None:
    """Do something about an account, which is written into the log as the operator's.

    :raises Error: if there is no such account, the reason or the name is not allowed, or the database cannot be used.
    """
    given = {"action": action, "who": who, "reason": reason, "hours": hours, "name": name}

    async def work(store: Store) -> None:
        await moderation.act(store, None, msgspec.convert(given, wire.Action))

    _run(url, work)


def _run(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        store = Store(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except (Refusal, msgspec.ValidationError) as error:
        raise Error(str(error)) from None
    except (SQLAlchemyError, BusyError) as error:
        raise Error(f"cannot use the database: {getattr(error, 'orig', None) or type(error).__name__}") from None
