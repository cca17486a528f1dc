"""Deletes what is stored of a person, when that person asks for it.

First the tokens become invalid and the person is noted in ``deletions``, in one transaction; all else follows in
portions, each a transaction that leaves every match whole. Every step may be repeated, so whatever a killed server
left undone is done by the next. Processes that still have a match or a request of the person may write once more what
was deleted; so everything is looked through again some times before the note is removed.

Matches against other people stay, for they belong to the opponents too: the person's name and id disappear from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from sqlalchemy import ColumnElement, Executable, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from acedrex.errors import Error
from acedrex.server import ids
from acedrex.server.archive import search_index as archiving
from acedrex.server.bus import DeletionAsked
from acedrex.server.games.publishing import Publishing
from acedrex.server.match import events
from acedrex.server.match.state import SIDES
from acedrex.server.personal_data.export import PEOPLE
from acedrex.server.play.closing import end_matches
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.storage import cards
from acedrex.server.storage.store import BusyError, ConflictError, Step, Store
from acedrex.server.storage.tables import (
    accounts,
    archive,
    attempts,
    blocks,
    calendars,
    chat,
    codes,
    comparisons,
    conditional_moves,
    conversations,
    dailies,
    days_off,
    deletions,
    entrants,
    findings,
    follows,
    jobs,
    mail_links,
    matches,
    messages,
    moderation,
    moderators,
    notes,
    notification_settings,
    openings,
    outbox,
    passkey_challenges,
    passkeys,
    people,
    positions,
    progress,
    push_subscriptions,
    ratings,
    reports,
    results,
    sanctions,
    sessions,
    tokens,
    tournaments,
)
from acedrex.server.storage.tables import events as event_table
from acedrex.server.studies.store import Studies
from acedrex.server.time_source import now

log = structlog.get_logger()

#: What takes the place of the name of a person whose data was deleted.
DELETED = "Deleted"
#: Seconds between two looks at the notes, and after the request at which everything is looked through; requests that
#: had begun before it and matches that were open in other processes are over by the last.
POLL = 2.0
PASSES = (0, 5, 60, 600)
#: Seconds between two portions; rows of a portion, and matches, which have many rows each.
BREATH, PORTION, MATCHES = 0.02, 200, 20

NOTED = insert(deletions)
FORGET_PERSON = [
    delete(column.table).where(column == bindparam("_person"))
    for column in (
        people.c.id,
        *(table.c.person for table in (sessions, accounts, codes, tokens, sanctions, moderators)),
        *(table.c.person for table in (passkeys, passkey_challenges, mail_links, outbox, progress, ratings)),
        *(table.c.person for table in (comparisons, days_off, conditional_moves, notes)),
        *(table.c.person for table in (notification_settings, push_subscriptions, calendars)),
        *(reports.c.reporter, reports.c.about),
        *(table.c[name] for table in (follows, blocks, conversations) for name in ("person", "other")),
    )
]
DONE = delete(deletions).where(deletions.c.person == bindparam("_person"))

# Of a match that others keep.
SEATS = (
    select(event_table.c.number, event_table.c.body)
    .where(event_table.c.match == bindparam("match"), event_table.c.body.like('{"type":"seat"%'))
    .order_by(event_table.c.number)
)
NEW_BODY = (
    update(event_table)
    .where(event_table.c.match == bindparam("_match"), event_table.c.number == bindparam("_number"))
    .values(body=bindparam("_body"))
)
#: Only if no event was stored since the card was read.
NEW_CARD = (
    update(matches)
    .where(matches.c.id == bindparam("_match"), func.coalesce(matches.c.number, -1) == bindparam("_number"))
    .values({name: bindparam(f"_{name}") for name in (*PEOPLE, "card")})
)
FORGET_SIDE = delete(chat).where(chat.c.match == bindparam("_match"), chat.c.by == bindparam("_by"))
NEW_NAME = {
    side: update(archive)
    .where(archive.c.match == bindparam("_match"), archive.c[side] == bindparam("_person"))
    .values({side: None, f"{side}_name": archiving.folded(DELETED)})
    for side in SIDES
}
#: Ratings of others follow from these results.
FORGET_RESULTS = {
    side: update(results).where(results.c[side] == bindparam("_person")).values({side: None}) for side in SIDES
}
#: Tournaments belong to all their players: who has left them has no name there, and what somebody wrote goes with them.
FORGET_ENTRIES = update(entrants).where(entrants.c.person == bindparam("_person")).values(person=None, name=DELETED)
FORGET_TOURNAMENTS = (
    update(tournaments)
    .where(tournaments.c.creator == bindparam("_person"))
    .values(creator=None, name=DELETED, description="")
)
#: The ratings of puzzles follow from these.
FORGET_ATTEMPTS = update(attempts).where(attempts.c.person == bindparam("_person")).values(person=None)
# Of a match that nobody keeps.
OF_MATCH = (
    *(event_table.c.match, chat.c.match, positions.c.match, archive.c.match),
    *(conditional_moves.c.match, notes.c.match, matches.c.id),
)
FORGET_MATCH: list[Executable] = [delete(column.table).where(column == bindparam("_match")) for column in OF_MATCH]

# Of the person alone. Analyses under way are left to nobody, and deleted when they are old.
FORGET_DAILIES = delete(dailies).where(dailies.c.guest == bindparam("_person"))
LEAVE_JOBS = update(jobs).where(jobs.c.visitor == bindparam("_person"), ~jobs.c.done).values(visitor="")
FORGET_JOB: list[Executable] = [
    delete(jobs).where(jobs.c.id == bindparam("_id")),
    delete(findings).where(findings.c.job == bindparam("_id")),
]
FORGET_MESSAGE = delete(messages).where(
    messages.c.low == bindparam("_low"), messages.c.high == bindparam("_high"), messages.c.id == bindparam("_id")
)
#: What moderators did stays in the log, without the names.
FORGET_IN_LOG = [
    update(moderation)
    .where(moderation.c[side] == bindparam("_person"))
    .values({side: None, f"{side}_name": DELETED, **more})
    for side, more in (("moderator", {}), ("person", {"name": None, "reason": DELETED}))
]
FORGET_LINE = delete(chat).where(chat.c.match == bindparam("_match"), chat.c.id == bindparam("_id"))
FORGET_OPENING = delete(openings).where(
    openings.c.scope == bindparam("_person"),
    openings.c.position == bindparam("_position"),
    openings.c.ply == bindparam("_ply"),
)


class Forgetting:
    """The deletions of this server."""

    def __init__(self, rooms: Rooms, publishing: Publishing, studies: Studies) -> None:
        """Start without any."""
        self._studies = studies
        self._rooms = rooms
        self._store = rooms.store
        self._publishing = publishing
        #: The people whose data is being deleted.
        self.gone: set[str] = set()
        #: Called with them when somebody was added, to close what they have open.
        self.on_gone: Callable[[set[str]], None] = lambda _: None
        #: How many passes this process has made for each, and for whom the last one failed.
        self._passes: dict[str, int] = {}
        self._failed: set[str] = set()
        self._poll = Poll(self.look, POLL, "forgetting_failed")
        rooms.on_deletion = self._poll.wake

    async def begin(self, person: str) -> None:
        """Make a person's tokens invalid, and start to delete everything else. It goes on after a restart."""
        with suppress(ConflictError):  # if it was requested twice at once
            await self._store.write(*first_steps(person, now()))
        self.gone.add(person)
        self._passes[person] = 0
        self._close()
        self._rooms.bus.publish(DeletionAsked(self._rooms.bus.process))
        self._poll.wake()

    def _close(self) -> None:
        """Close the sockets and streams of the people who are gone."""
        self.on_gone(self.gone)

    async def run_forever(self) -> None:
        """Delete what is noted, forever."""
        await self._poll.run_forever()

    async def look(self) -> None:
        """Look at the notes, and make the passes that are due."""
        before = set(self.gone)
        rows = await self._store.all(select(deletions).order_by(deletions.c.at))
        # Those who have asked for it meanwhile may not be among the rows.
        self.gone.intersection_update({row.person for row in rows} | (self.gone - before))
        self.gone.update(row.person for row in rows)
        for person in self._passes.keys() - self.gone:
            del self._passes[person]
        if not rows:
            return
        self._close()
        for row in rows:
            await self._advance(row.person, (now() - row.at) / 1000)
        await self._close_stale_rooms()

    async def _advance(self, person: str, age: float) -> None:
        """Make the pass that is due some seconds after a person's request, and after the last one remove the note."""
        due = sum(age >= after for after in PASSES)
        # Another process makes the first pass for those that it has noted, unless it is killed.
        if self._passes.setdefault(person, 0 if age >= PASSES[1] else 1) < due:
            self._failed.discard(person)
            try:
                await self.forget(person)
            except BusyError:
                raise
            except Exception as error:
                self._failed.add(person)
                log.error("forgetting_failed", person=person, exc_info=error)
            self._passes[person] = due
        if due == len(PASSES) and person not in self._failed:
            await self._store.write((DONE, {"_person": person}))
            log.info("forgotten", person=person)

    async def _close_stale_rooms(self) -> None:
        """Close the rooms of finished matches that still have the names, so that they are read again."""
        for room in self._rooms.open_rooms():
            seats = room.match.seats.values()
            if room.match.phase == "over" and any(seat.person in self.gone for seat in seats):
                await self._rooms.drop(room)

    async def forget(self, person: str) -> None:
        """Make a pass: delete, or make anonymous, everything that is stored of a person now."""
        store = self._store
        await store.write(
            *((statement, {"_person": person}) for statement in FORGET_PERSON),
            (FORGET_DAILIES, {"_person": person}),
            (LEAVE_JOBS, {"_person": person}),
            *((FORGET_RESULTS[side], {"_person": person}) for side in SIDES),
            (FORGET_ATTEMPTS, {"_person": person}),
            (FORGET_ENTRIES, {"_person": person}),
            (FORGET_TOURNAMENTS, {"_person": person}),
            *((statement, {"_person": person}) for statement in FORGET_IN_LOG),
        )
        await end_matches(self._rooms, person)
        while await self._forget_matches(person):
            await asyncio.sleep(BREATH)
        for side in SIDES:  # rows of matches that were archived meanwhile
            async for rows in self._portions(select(archive.c.match).where(archive.c[side] == person)):
                await store.write(*((NEW_NAME[side], {"_match": row.match, "_person": person}) for row in rows))
        async for rows in self._portions(select(archive.c.match).where(archive.c.owner == person), MATCHES):
            await store.write(*(step for row in rows for step in _match_steps(row.match)))
        async for rows in self._portions(select(jobs.c.id).where(jobs.c.visitor == person, jobs.c.done)):
            await store.write(*((statement, {"_id": row.id}) for statement in FORGET_JOB for row in rows))
        async for rows in self._portions(select(chat.c.match, chat.c.id).where(chat.c.person == person)):
            await store.write(*((FORGET_LINE, {"_match": row.match, "_id": row.id}) for row in rows))
        theirs = or_(messages.c.low == person, messages.c.high == person)
        async for rows in self._portions(select(messages.c.low, messages.c.high, messages.c.id).where(theirs)):
            values = [{"_low": row.low, "_high": row.high, "_id": row.id} for row in rows]
            await store.write(*((FORGET_MESSAGE, value) for value in values))
        keys = select(openings.c.position, openings.c.ply).where(openings.c.scope == person)
        async for rows in self._portions(keys):
            values = [{"_person": person, "_position": row.position, "_ply": row.ply} for row in rows]
            await store.write(*((FORGET_OPENING, value) for value in values))
        await self._publishing.forget(person)
        await self._studies.forget(person)
        await self._rooms.compare()

    async def _portions(self, query: Any, most: int = PORTION) -> AsyncIterator[Sequence[Any]]:
        """Yield the rows of a query that are left, in portions; the caller deletes each."""
        while rows := await self._store.all(query.limit(most)):
            yield rows
            await asyncio.sleep(BREATH)

    async def _forget_matches(self, person: str) -> bool:
        """Delete, or make anonymous, a portion of the matches in which the person takes part; return whether any."""
        columns = (matches.c.id, matches.c.white, matches.c.black, matches.c.creator, matches.c.asked, matches.c.card)
        query = select(*columns, matches.c.number).where(_takes_part(person)).limit(MATCHES)
        rows = await self._store.all(query)
        steps: list[Step] = []
        for row in rows:
            # A challenge to the person is its creator's.
            kept = {row.white, row.black} - {person, None} or person not in (row.white, row.black)
            steps += await self._anonymous_steps(row, person) if kept else _match_steps(row.id)
        await self._store.write(*steps)
        await self._close_stale_rooms()
        return bool(rows)

    async def _anonymous_steps(self, row: Any, person: str) -> list[Step]:
        """Return the steps that make a person anonymous in a match that others keep."""
        steps: list[Step] = []
        for seat in await self._store.all(SEATS, match=row.id):
            body = renamed_seat(seat.body, person, None, DELETED)
            if body != seat.body:
                steps.append((NEW_BODY, {"_match": row.id, "_number": seat.number, "_body": body}))
        for side in SIDES:
            if getattr(row, side) == person:
                steps.append((FORGET_SIDE, {"_match": row.id, "_by": side}))
                steps.append((NEW_NAME[side], {"_match": row.id, "_person": person}))
        people = {f"_{name}": None if (id := row._mapping[name]) == person else id for name in PEOPLE}
        number = -1 if row.number is None else row.number
        card = cards.renamed(row.card, person, None, DELETED)
        return [*steps, (NEW_CARD, {"_match": row.id, "_number": number, "_card": card, **people})]


def renamed_seat(body: str, person: str, id: str | None, name: str) -> str:
    """Return the event of a seat in which a person has another id and name; one that is damaged stays so."""
    try:
        seat = msgspec.json.decode(body, type=events.Seated)
    except msgspec.MsgspecError:
        return '{"type":"seat"}'
    if seat.person != person:
        return body
    return events.encode(msgspec.structs.replace(seat, person=id, name=name)).decode()


def _takes_part(person: str) -> ColumnElement[bool]:
    return or_(matches.c.white == person, matches.c.black == person, matches.c.asked == person)


def _match_steps(match: str) -> list[Step]:
    return [(statement, {"_match": match}) for statement in FORGET_MATCH]


def first_steps(person: str, at: int) -> list[Step]:
    """Return the steps after which a person has no token any more, and everything else will be deleted."""
    return [
        (NOTED, {"person": person, "at": at}),
        *((statement, {"_person": person}) for statement in FORGET_PERSON),
    ]


def note(url: str, names: Sequence[str]) -> list[str]:
    """Note people in a database whose data the server is to delete, now or when it starts, and return their ids.

    :param names: their ids, or references to them in the log.
    :raises Error: if one of them is unknown, or the database cannot be used.
    """
    try:
        return asyncio.run(_note(url, names))
    except (SQLAlchemyError, BusyError) as error:
        raise Error(f"cannot use the database: {getattr(error, 'orig', None) or type(error).__name__}") from None


async def _note(url: str, names: Sequence[str]) -> list[str]:
    store = Store(url)
    await store.open()
    try:
        found = []
        known = {row.id: row.id for row in await store.all(select(people.c.id))}
        known |= {ids.reference(id): id for id in list(known)}
        for name in names:
            if name not in known:
                raise Error(f"nobody in the database has the id or reference {name!r}")
            found.append(known[name])
        noted = {row.person for row in await store.all(select(deletions.c.person))}
        for person in dict.fromkeys(found):
            await store.write(*first_steps(person, now())[person in noted :])
        return found
    finally:
        await store.close()
