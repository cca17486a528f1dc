"""Deletes old data, so that the database does not grow by what visitors leave behind.

Matches with moves are kept forever, and so are their players.
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from sqlalchemy import Select, and_, bindparam, delete, or_, select, union

from acedrex.server.clock import DAY
from acedrex.server.moment import now
from acedrex.server.store import BusyError, Step, Store
from acedrex.server.tables import archive, chat, dailies, events, findings, guests, jobs, matches, tokens

log = structlog.get_logger()

#: Days after which an open challenge, or a match that ended without moves, is deleted.
UNPLAYED = 60
#: Days after which a guest who has never played, imported, solved or created anything is deleted.
UNUSED = 180
#: Days after which the analysis of a whole game is deleted; it is made again on request.
REVIEWS = 180
#: Seconds between two sweeps, and between two portions of a sweep; rows of a portion.
PAUSE, BREATH, PORTION = 3_600, 0.2, 50

OF_MATCHES = [delete(table).where(table.c.match == bindparam("_id")) for table in (events, chat, archive)]
OF_MATCHES.append(delete(matches).where(matches.c.id == bindparam("_id")))
OF_JOBS = [
    delete(findings).where(findings.c.job == bindparam("_id")),
    delete(jobs).where(jobs.c.id == bindparam("_id")),
]
OF_GUESTS = [delete(guests).where(guests.c.id == bindparam("_id"))]


def unplayed(at: int) -> Select[Any]:
    """Select the matches without moves whose last event was before a moment."""
    ended = select(archive.c.match).where(archive.c.plies == 0)
    never = or_(matches.c.phase == "open", and_(matches.c.phase == "over", matches.c.id.in_(ended)))
    return select(matches.c.id).where(never, matches.c.at < at)


def unused(at: int) -> Select[Any]:
    """Select the guests created before a moment to whom nothing else in the database refers."""
    traces = [matches.c.white, matches.c.black, matches.c.creator, matches.c.asked, archive.c.owner]
    columns = [*traces, tokens.c.person, dailies.c.guest]
    used = union(*(select(column).where(column.is_not(None)) for column in columns))
    return select(guests.c.id).where(guests.c.at < at, guests.c.id.not_in(used))


def reviewed(at: int) -> Select[Any]:
    """Select the finished analyses of whole games that were requested before a moment."""
    return select(jobs.c.id).where(jobs.c.done, jobs.c.at < at)


async def sweep(store: Store) -> int:
    """Delete what is too old, and return the number of things deleted."""
    moment, removed = now(), 0
    for query, statements in (
        (unplayed(moment - UNPLAYED * DAY), OF_MATCHES),
        (reviewed(moment - REVIEWS * DAY), OF_JOBS),
        (unused(moment - UNUSED * DAY), OF_GUESTS),
    ):
        while rows := await store.all(query.limit(PORTION)):
            steps: list[Step] = [(statement, {"_id": row.id}) for statement in statements for row in rows]
            await store.write(*steps)
            removed += len(rows)
            await asyncio.sleep(BREATH)
    return removed


async def sweep_forever(store: Store) -> None:
    """Sweep every hour, forever."""
    while True:
        await asyncio.sleep(PAUSE)
        try:
            removed = await sweep(store)
            if removed:
                log.info("swept", removed=removed)
        except BusyError:
            pass  # The database is down: the next sweep finds the same.
        except Exception as error:
            log.error("sweep_failed", exc_info=error)
