"""Days off: how many people have, and when they take them. Their clocks by correspondence do not run then."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, insert, select, update

from acedrex.server import wire
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import ConflictError, Store
from acedrex.server.storage.tables import days_off, people
from acedrex.server.time_source import now

DAY = 86_400_000
#: Milliseconds of days off that everybody begins with, and that they can have saved.
FIRST, MOST = 7 * DAY, 30 * DAY
#: In how many days one more is earned: thirty in a year.
EARNED_IN = 12
#: The latest of a person's days off that can concern a match that is being played.
LATEST = 5

NEW = insert(days_off)
END = (
    update(days_off)
    .where(days_off.c.person == bindparam("_person"), days_off.c.since == bindparam("_since"))
    .where(days_off.c.until == bindparam("_old"))
    .values(until=bindparam("_until"), left=bindparam("_left"))
)


def saved(left: int, since: int, moment: int) -> int:
    """Return the milliseconds of days off that somebody has who had some at an earlier moment.

    >>> saved(0, 0, 24 * DAY) // DAY, saved(29 * DAY, 0, 24 * DAY) // DAY
    (2, 30)
    """
    return min(MOST, left + max(0, moment - since) // EARNED_IN)


async def _last(store: Store, person: str) -> Row[Any] | None:
    query = select(days_off).where(days_off.c.person == person).order_by(days_off.c.since.desc()).limit(1)
    return await store.first(query)


async def _saved(store: Store, person: str, last: Row[Any] | None, moment: int) -> int:
    if last is not None:
        return saved(last.left, last.until, moment)
    row = await store.first(select(people.c.at).where(people.c.id == person))
    return FIRST if row is None else saved(FIRST, row.at, moment)


async def read(store: Store, person: str) -> wire.DaysOff:
    """Return a person's days off."""
    moment, last = now(), await _last(store, person)
    until = last.until if last is not None and last.until > moment else None
    return wire.DaysOff(until, await _saved(store, person, last, moment) // DAY)


async def take(store: Store, person: str, days: int) -> None:
    """Begin days off.

    :raises Refusal: if the person already has days off, or does not have enough left.
    """
    moment, last = now(), await _last(store, person)
    if last is not None and last.until > moment:
        raise Refusal("days_off", "you already have days off; end them first", "days")
    left = await _saved(store, person, last, moment) - days * DAY
    if left < 0:
        raise Refusal("too_many", f"you have {(left + days * DAY) // DAY} days off left", "days")
    row = {"person": person, "since": moment, "until": moment + days * DAY, "left": left}
    try:
        await store.write((NEW, row))
    except ConflictError:
        raise Refusal("days_off", "you already have days off; end them first", "days") from None


async def end(store: Store, person: str) -> None:
    """End days off; what is left of them is saved.

    :raises Refusal: if the person has none.
    """
    moment, last = now(), await _last(store, person)
    if last is None or last.until <= moment:
        raise Refusal("no_days_off", "you have no days off that could be ended")
    values = {"_person": person, "_since": last.since, "_old": last.until, "_until": moment}
    await store.change((END, {**values, "_left": min(MOST, last.left + last.until - moment)}))


async def latest(store: Store, persons: Collection[str]) -> Sequence[Row[Any]]:
    """Return the latest days off of some people, in order."""
    query = select(days_off).where(days_off.c.person.in_(persons)).order_by(days_off.c.since.desc())
    return (await store.all(query.limit(LATEST * len(persons))))[::-1]
