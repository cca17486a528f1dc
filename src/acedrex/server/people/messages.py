"""Messages between people who have played with each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, or_, select, text, update

from acedrex.server import ids, wire
from acedrex.server.people import relations, standing
from acedrex.server.people.relations import Known
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step, Store
from acedrex.server.storage.tables import accounts, conversations, messages, people
from acedrex.server.time_source import now

#: Messages of a page, and conversations of the list; characters of a message that the list shows.
PAGE, MAX_LISTED, SHOWN = 50, 100, 80

NEW = insert(messages)
#: SQLite and PostgreSQL share this syntax. Who writes has read what came before.
SENT, RECEIVED = (
    text(
        "INSERT INTO conversations (person, other, last, read) VALUES (:person, :other, :id, :read) "
        f"ON CONFLICT (person, other) DO UPDATE SET last = excluded.last{more}"
    )
    for more in (", read = excluded.read", "")
)
READ = (
    update(conversations)
    .where(conversations.c.person == bindparam("_person"), conversations.c.other == bindparam("_other"))
    .values(read=conversations.c.last)
)
TAKE = update(people).where(people.c.id == bindparam("_id")).values(messages=bindparam("_messages"))


def pair(one: str, other: str) -> tuple[str, str]:
    """Return the key of a conversation."""
    return (one, other) if one < other else (other, one)


async def takes_messages(store: Store, person: str) -> bool:
    """Return whether a person takes messages: by default those with an account do, and guests do not."""
    query = select(people.c.messages, accounts.c.handle).outerjoin(accounts, accounts.c.person == people.c.id)
    row = await store.first(query.where(people.c.id == person))
    return row is not None and (row.handle is not None if row.messages is None else row.messages)


async def set_taking(store: Store, person: str, on: bool) -> None:
    """Set whether a person takes messages."""
    await store.write((TAKE, {"_id": person, "_messages": on}))


async def may_write(store: Store, me: str, other: str) -> bool:
    """Return whether two people may write to each other: both take messages, have played, and neither has blocked."""
    if await relations.is_blocked(store, me, [other]):
        return False
    if not (await takes_messages(store, me) and await takes_messages(store, other)):
        return False
    begun = select(conversations.c.last).where(conversations.c.person == me, conversations.c.other == other)
    return await store.first(begun) is not None or await relations.have_played(store, me, other)


async def send(store: Store, me: str, other: str, words: str, notify: Callable[[int], Step]) -> wire.Message:
    """Send a message.

    :param notify: returns the step that notifies the other person, by the message's id.
    :raises Refusal: if the person is muted, or may not write to the other; it does not say why not.
    """
    await standing.check_may_write(store, me)
    if not await may_write(store, me, other):
        message = "you can write to people whom you have played with, if both of you take messages"
        raise Refusal("no_messages", message, "who")
    at = now()
    low, high = pair(me, other)
    # Ids must grow with time in every process, and need no more order than that.
    id = at * 1000 + ids.random_below(1000)
    await store.write(
        (NEW, {"low": low, "high": high, "id": id, "sender": me, "text": words, "at": at}),
        (SENT, {"person": me, "other": other, "id": id, "read": id}),
        (RECEIVED, {"person": other, "other": me, "id": id, "read": 0}),
        notify(id),
    )
    return wire.Message(id, True, words, at)


async def unread(store: Store, me: str) -> int:
    """Return how many conversations of a person have unread messages."""
    new = and_(conversations.c.person == me, conversations.c.last > conversations.c.read)
    row = await store.first(select(func.count()).where(new))
    return 0 if row is None else int(row[0])


async def read(store: Store, me: str, other: str) -> None:
    """Note that a person has read a conversation."""
    await store.write((READ, {"_person": me, "_other": other}))


async def listed(store: Store, me: str) -> list[tuple[Known, Any]]:
    """Return a person's conversations, the latest first: with whom, and the last message and whether it is unread."""
    own = conversations.c
    last = and_(
        messages.c.id == own.last,
        or_(
            and_(messages.c.low == own.person, messages.c.high == own.other),
            and_(messages.c.high == own.person, messages.c.low == own.other),
        ),
    )
    query = (
        select(own.other, messages.c.text, messages.c.at, (own.last > own.read).label("unread"))
        .join(messages, last)
        .where(own.person == me)
        .order_by(own.last.desc())
        .limit(MAX_LISTED)
    )
    rows = await store.all(query)
    found = await relations.known(store, (row.other for row in rows))
    return [(found[row.other], row) for row in rows if row.other in found]


async def page(store: Store, me: str, other: str, before: int | None) -> tuple[list[wire.Message], bool]:
    """Return the messages of a conversation before one of them, the oldest first, and whether there are older ones."""
    low, high = pair(me, other)
    query = select(messages).where(messages.c.low == low, messages.c.high == high).order_by(messages.c.id.desc())
    if before is not None:
        query = query.where(messages.c.id < before)
    rows = await store.all(query.limit(PAGE + 1))
    told = [wire.Message(row.id, row.sender == me, row.text, row.at) for row in reversed(rows[:PAGE])]
    return told, len(rows) > PAGE
