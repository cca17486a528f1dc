"""Deletes old data, so that the database does not grow by what visitors leave behind.

Matches with moves are kept forever, and so are their players.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress

import structlog
from sqlalchemy import BindParameter, ColumnElement, Delete, Table, and_, bindparam, delete, or_, select, union

from acedrex.server.games.publishing import Publishing
from acedrex.server.people.sessions import UNUSED as SESSION_UNUSED
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Step, Store
from acedrex.server.storage.tables import (
    accounts,
    archive,
    blocks,
    calendars,
    chat,
    codes,
    conditional_moves,
    conversations,
    dailies,
    days_off,
    entrants,
    events,
    findings,
    follows,
    jobs,
    matches,
    moderators,
    notes,
    notification_settings,
    passkey_challenges,
    people,
    positions,
    push_subscriptions,
    reports,
    sanctions,
    sessions,
    studies,
    study_members,
    study_operations,
    tokens,
    tournaments,
)
from acedrex.server.studies.store import Studies, delete_steps, empty
from acedrex.server.time_source import now

log = structlog.get_logger()

DAY = 86_400_000
#: Days after which an open challenge, or a match that ended without moves, is deleted.
UNPLAYED = 60
#: Days after which a guest who has never played, imported, solved, written or created anything is deleted.
UNUSED = 180
#: Days after which the analysis of a whole game is deleted; it is made again on request.
REVIEWS = 180
#: Days after which a report that was handled is deleted.
REPORTS = 180
#: Days after which a study in which nobody has written anything is deleted.
EMPTY_STUDIES = 60
#: Seconds between two sweeps, and between two portions of a sweep; rows of a portion.
PAUSE, BREATH, PORTION = 3_600, 0.2, 50

#: The columns that refer to what is deleted; their rows go with it.
REFERENCES = {
    matches: (
        *(events.c.match, chat.c.match, positions.c.match, archive.c.match),
        *(conditional_moves.c.match, notes.c.match),
    ),
    jobs: (findings.c.job,),
    people: (
        *(table.c.person for table in (sessions, codes, passkey_challenges, sanctions, moderators)),
        *(table.c.person for table in (days_off, notification_settings, push_subscriptions, calendars)),
        *(reports.c.reporter, reports.c.about),
        *(table.c[name] for table in (follows, blocks, conversations) for name in ("person", "other")),
    ),
    sessions: (push_subscriptions.c.session,),
    reports: (),
}


def unplayed(at: int) -> ColumnElement[bool]:
    """Return the condition for matches without moves whose last event was before a moment."""
    ended = select(archive.c.match).where(archive.c.plies == 0)
    never = or_(matches.c.phase == "open", and_(matches.c.phase == "over", matches.c.id.in_(ended)))
    return and_(never, matches.c.at < at)


def unused(at: int, kept: Collection[str] = ()) -> ColumnElement[bool]:
    """Return the condition for guests created before a moment to whom nothing else in the database refers.

    :param kept: guests to whom something outside the database refers.
    """
    traces = [matches.c.white, matches.c.black, matches.c.creator, matches.c.asked, archive.c.owner]
    traces += [entrants.c.person, tournaments.c.creator]
    traces += [studies.c.owner, study_members.c.person, study_operations.c.person]
    columns = [*traces, accounts.c.person, tokens.c.person, dailies.c.guest, chat.c.person]
    used = union(*(select(column).where(column.is_not(None)) for column in columns))
    return and_(people.c.at < at, people.c.id.not_in(used), people.c.id.not_in(kept))


def idle(at: int) -> ColumnElement[bool]:
    """Return the condition for sessions of accounts that were last used before a moment."""
    return and_(sessions.c.seen < at, sessions.c.person.in_(select(accounts.c.person)))


def reviewed(at: int) -> ColumnElement[bool]:
    """Return the condition for finished analyses of whole games that were requested before a moment."""
    return and_(jobs.c.done, jobs.c.at < at)


def deletions(table: Table, condition: ColumnElement[bool]) -> list[Delete]:
    """Return the statements that delete the row ``_id`` of a table, if the condition holds, and references to it."""
    id: BindParameter[str] = bindparam("_id")
    kept = select(table.c.id).where(table.c.id == id).exists()
    references = [delete(column.table).where(column == id, ~kept) for column in REFERENCES[table]]
    return [delete(table).where(table.c.id == id, condition), *references]


async def sweep(rooms: Rooms, publishing: Publishing | None = None, study_store: Studies | None = None) -> int:
    """Delete what is too old, and return the number of things found."""
    store, moment, removed = rooms.store, now(), 0
    publishers = set() if publishing is None else await asyncio.to_thread(publishing.people)
    for table, condition in (
        (matches, unplayed(moment - UNPLAYED * DAY)),
        (jobs, reviewed(moment - REVIEWS * DAY)),
        (sessions, idle(moment - SESSION_UNUSED)),
        (reports, and_(reports.c.done, reports.c.at < moment - REPORTS * DAY)),
        (people, unused(moment - UNUSED * DAY, publishers)),
    ):
        statements = deletions(table, condition)
        while rows := await store.all(select(table.c.id).where(condition).limit(PORTION)):
            steps: list[Step] = [(statement, {"_id": row.id}) for statement in statements for row in rows]
            await store.write(*steps)
            removed += len(rows)
            await asyncio.sleep(BREATH)
    if study_store is not None:
        removed += await _sweep_studies(study_store, store, moment - EMPTY_STUDIES * DAY)
    if removed:
        # Nobody may go on with a match that is open here and no longer stored.
        await rooms.compare()
    return removed


async def _sweep_studies(study_store: Studies, store: Store, at: int) -> int:
    """Delete the studies in which nobody had written anything at a moment, and rows of studies that are gone."""
    rows = await store.all(select(studies.c.id).where(empty(at)))
    for row in rows:
        with suppress(Refusal):
            await study_store.delete(await study_store.get(row.id))
    for table in (study_members, study_operations):
        for row in await store.all(select(table.c.study).where(table.c.study.not_in(select(studies.c.id))).distinct()):
            await store.write(*delete_steps(row.study))
    return len(rows)


async def sweep_forever(rooms: Rooms, publishing: Publishing, study_store: Studies) -> None:
    """Sweep every hour, forever."""
    while True:
        await asyncio.sleep(PAUSE)
        try:
            removed = await sweep(rooms, publishing, study_store)
            if removed:
                log.info("swept", removed=removed)
        except BusyError:
            pass  # The database is down: the next sweep finds the same.
        except Exception as error:
            log.error("sweep_failed", exc_info=error)
