"""Writes the new name of somebody whom a moderator has renamed over the old one, wherever that is stored.

What is left to do is noted with the person, so a killed server leaves nothing undone. Processes that have a match open
may write the old name once more, so everything is looked through again until they have closed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import bindparam, or_, select, update

from acedrex.server.archive.search_index import folded
from acedrex.server.match.state import SIDES
from acedrex.server.people.moderation import LIFTED
from acedrex.server.people.standing import RENAMING
from acedrex.server.personal_data.deletion import BREATH, MATCHES, NEW_BODY, NEW_CARD, SEATS, renamed_seat
from acedrex.server.personal_data.export import PEOPLE
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.storage import cards
from acedrex.server.storage.store import Step
from acedrex.server.storage.tables import archive, chat, entrants, matches, people, sanctions
from acedrex.server.time_source import now

#: Seconds between two looks, and milliseconds after which every process has closed the matches in question.
POLL, LASTING = 2.0, 10_000

PENDING = (
    select(sanctions.c.person, sanctions.c.at, people.c.name)
    .join(people, people.c.id == sanctions.c.person)
    .where(sanctions.c.kind == RENAMING)
)
NAMED = [
    update(table).where(table.c.person == bindparam("_person")).values(name=bindparam("_name"))
    for table in (chat, entrants)
]
FOUND_BY = [
    update(archive).where(archive.c[side] == bindparam("_person")).values({f"{side}_name": bindparam("_name")})
    for side in SIDES
]


class Renaming:
    """The renamings of this server."""

    def __init__(self, rooms: Rooms) -> None:
        """Start without any."""
        self._rooms = rooms
        self._store = rooms.store
        self._poll = Poll(self.look, POLL, "renaming_failed")

    def wake(self) -> None:
        """Look at once, since somebody was renamed."""
        self._poll.wake()

    async def run_forever(self) -> None:
        """Write new names, forever."""
        await self._poll.run_forever()

    async def look(self) -> None:
        """Write the names of those who were renamed a moment ago, or before a restart."""
        for row in await self._store.all(PENDING):
            is_last = now() - row.at > LASTING
            await self._rename(row.person, row.name)
            if is_last:
                await self._store.write((LIFTED, {"_person": row.person, "_kind": RENAMING}))

    async def _rename(self, person: str, name: str) -> None:
        await self._close_rooms(person, name)
        await self._store.write(
            *((statement, {"_person": person, "_name": name}) for statement in NAMED),
            *((statement, {"_person": person, "_name": folded(name)}) for statement in FOUND_BY),
        )
        async for row in self._matches(person):
            # One that is damaged stays so.
            if cards.renamed(row.card, person, person, name) not in (row.card, "{}"):
                await self._store.write(*await self._steps(row, person, name))
        await self._close_rooms(person, name)

    async def _matches(self, person: str) -> AsyncIterator[Any]:
        """Yield the matches of a person, a portion at a time."""
        columns = (matches.c.id, matches.c.number, matches.c.card, *(matches.c[one] for one in PEOPLE))
        query = select(*columns).where(or_(matches.c.white == person, matches.c.black == person))
        last = ""
        while rows := await self._store.all(query.where(matches.c.id > last).order_by(matches.c.id).limit(MATCHES)):
            for row in rows:
                yield row
            last = rows[-1].id
            await asyncio.sleep(BREATH)

    async def _steps(self, row: Any, person: str, name: str) -> list[Step]:
        steps: list[Step] = []
        for seat in await self._store.all(SEATS, match=row.id):
            body = renamed_seat(seat.body, person, person, name)
            if body != seat.body:
                steps.append((NEW_BODY, {"_match": row.id, "_number": seat.number, "_body": body}))
        card = cards.renamed(row.card, person, person, name)
        unchanged = {f"_{one}": row._mapping[one] for one in PEOPLE}
        number = -1 if row.number is None else row.number
        return [*steps, (NEW_CARD, {"_match": row.id, "_number": number, "_card": card, **unchanged})]

    async def _close_rooms(self, person: str, name: str) -> None:
        """Close the matches that are open here with the old name, so that they are read again."""
        for room in self._rooms.open_rooms():
            if any(seat.person == person and seat.name != name for seat in room.match.seats.values()):
                await self._rooms.drop(room)
