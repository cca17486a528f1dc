"""Whom people follow and whom they have blocked, and how they name each other in requests."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from msgspec import Struct
from sqlalchemy import ColumnElement, Exists, Table, and_, bindparam, delete, exists, func, insert, or_, select, union

from acedrex.server import ids
from acedrex.server.people import standing
from acedrex.server.people.names import handle_of
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import ConflictError, Step, Store
from acedrex.server.storage.tables import (
    accounts,
    archive,
    blocks,
    chat,
    conversations,
    follows,
    matches,
    people,
    sessions,
)
from acedrex.server.time_source import now

#: How many people one may follow, and block.
MAX_FOLLOWED, MAX_BLOCKED = 200, 500
HOUR = 3_600_000

#: Events of a match in which both have moved: its creation, two seats and two moves.
BEGUN = 5

NEW = {table: insert(table) for table in (follows, blocks)}
END = {
    table: delete(table).where(table.c.person == bindparam("_person"), table.c.other == bindparam("_other"))
    for table in (follows, blocks)
}


class Known(Struct, frozen=True):
    """A person, as others may know them."""

    id: str
    name: str
    account: bool

    @property
    def who(self) -> str:
        """By what requests name them: the name of an account, or a reference to a guest."""
        return self.name if self.account else f"~{ids.reference(self.id)}"


def no_such_person() -> Refusal:
    """Return the refusal of somebody who is not there, or no longer."""
    return Refusal("no_such_person", "there is no player with an account of this name", "who")


async def known(store: Store, people_ids: Iterable[str], *, closed: bool = False) -> dict[str, Known]:
    """Return some people by their ids, without those who are gone.

    :param closed: whether to return also those whose accounts are closed.
    """
    wanted = set(people_ids)
    if not wanted:
        return {}
    query = (
        select(people.c.id, people.c.name, accounts.c.handle)
        .outerjoin(accounts, accounts.c.person == people.c.id)
        .where(people.c.id.in_(wanted))
    )
    if not closed:
        query = query.where(people.c.id.not_in(standing.closed()))
    return {row.id: Known(row.id, row.name, row.handle is not None) for row in await store.all(query)}


async def profiles(store: Store, people_ids: Iterable[str | None]) -> dict[str | None, str]:
    """Return the names of the accounts of those of some people who have one, for links to their profiles."""
    found = await known(store, (one for one in people_ids if one is not None))
    return {id: one.name for id, one in found.items() if one.account}


async def last_seen(store: Store, people_ids: Collection[str]) -> dict[str | None, int]:
    """Return the hour in which some people were last here, in milliseconds of the epoch."""
    query = select(sessions.c.person, func.max(sessions.c.seen).label("seen")).where(sessions.c.person.in_(people_ids))
    return {row.person: row.seen // HOUR * HOUR for row in await store.all(query.group_by(sessions.c.person))}


async def with_account(store: Store, name: str, *, closed: bool = False) -> Known:
    """Find the person who has an account with a name.

    :param closed: whether to find also an account that is closed.
    :raises Refusal: if there is none.
    """
    query = (
        select(people.c.id, people.c.name)
        .join(accounts, accounts.c.person == people.c.id)
        .where(accounts.c.handle == handle_of(name))
    )
    if not closed:
        query = query.where(people.c.id.not_in(standing.closed()))
    row = await store.first(query)
    if row is None:
        raise no_such_person()
    return Known(row.id, row.name, True)


async def find(store: Store, me: str, who: str) -> Known:
    """Find the person whom a request names.

    It is the name of an account; ``~`` and a reference to a guest whom one follows, has blocked or has written with; or
    a match, a dot, and ``white``, ``black`` or the id of a line of its chat.

    :raises Refusal: if there is nobody, or it is oneself.
    """
    match, dot, part = who.partition(".")
    if who.startswith("~"):
        own = union(*(select(table.c.other).where(table.c.person == me) for table in (follows, blocks, conversations)))
        found = next((row.other for row in await store.all(own) if ids.reference(row.other) == who[1:]), None)
    elif dot and part in ("white", "black"):
        row = await store.first(select(matches.c[part]).where(matches.c.id == match))
        found = row and row[0]
    elif dot:
        line = int(part) if part.isdecimal() and part.isascii() and len(part) < 19 else -1
        row = await store.first(select(chat.c.person).where(chat.c.match == match, chat.c.id == line))
        found = row and row[0]
    else:
        found = (await with_account(store, who)).id
    person = None if found is None else (await known(store, [found])).get(found)
    if person is None:
        raise no_such_person()
    if person.id == me:
        raise Refusal("yourself", "that is you", "who")
    return person


async def add(store: Store, table: Table, me: str, other: str, most: int) -> None:
    """Follow or block somebody; whom one blocks one follows no longer.

    :raises Refusal: if there are too many already.
    """
    count = await store.first(select(func.count()).where(table.c.person == me))
    if count is not None and count[0] >= most:
        raise Refusal("too_many", f"that is more than {most} people; take some off the list first")
    steps: list[Step] = [(NEW[table], {"person": me, "other": other, "at": now()})]
    if table is blocks:
        steps.append((END[follows], {"_person": me, "_other": other}))
    with suppress(ConflictError):  # they are on the list already
        await store.write(*steps)


async def end(store: Store, table: Table, me: str, other: str) -> None:
    """Follow somebody no longer, or let them play and write again."""
    await store.write((END[table], {"_person": me, "_other": other}))


async def listed(store: Store, table: Table, me: str) -> list[Known]:
    """Return those on one's list, in the order of their names."""
    rows = await store.all(select(table.c.other).where(table.c.person == me))
    found = await known(store, (row.other for row in rows))
    return sorted(found.values(), key=lambda one: one.name.casefold())


# Blocks.


async def blocked_by(store: Store, person: str | None) -> frozenset[str]:
    """Return those whom a person has blocked."""
    if person is None:
        return frozenset()
    return frozenset(row.other for row in await store.all(select(blocks.c.other).where(blocks.c.person == person)))


def _between(one: str, others: Collection[str]) -> Exists:
    mine = and_(blocks.c.person == one, blocks.c.other.in_(others))
    return exists().where(or_(mine, and_(blocks.c.other == one, blocks.c.person.in_(others))))


async def is_blocked(store: Store, person: str, others: Iterable[str | None]) -> bool:
    """Return whether a person and one of some others have blocked each other, either way."""
    wanted = {one for one in others if one is not None}
    return bool(wanted) and await store.first(select(1).where(_between(person, wanted))) is not None


async def hidden(store: Store, owners: Iterable[str]) -> dict[str, set[str]]:
    """Return by person those of some owners of challenges with whom they will not play, or who will not with them."""
    wanted = set(owners)
    found: dict[str, set[str]] = {}
    if wanted:
        query = select(blocks.c.person, blocks.c.other).where(
            or_(blocks.c.person.in_(wanted), blocks.c.other.in_(wanted))
        )
        for row in await store.all(query):
            for owner, other in ((row.person, row.other), (row.other, row.person)):
                if owner in wanted:
                    found.setdefault(other, set()).add(owner)
    return found


async def have_played(store: Store, one: str, other: str) -> bool:
    """Return whether two people have played with each other, or do now."""

    def both(table: Table) -> list[ColumnElement[bool]]:
        ways = ((table.c.white, table.c.black), (table.c.black, table.c.white))
        return [and_(mine == one, theirs == other) for mine, theirs in ways]

    queries = [select(archive.c.match).where(way, archive.c.plies > 0) for way in both(archive)]
    begun = and_(matches.c.phase == "play", matches.c.number >= BEGUN)
    queries += [select(matches.c.id).where(way, begun) for way in both(matches)]
    for query in queries:
        if await store.first(query.limit(1)) is not None:
            return True
    return False
