"""What nobody needs any more is removed, so that a database does not grow by what visitors leave behind.

Matches in which something was played are kept for ever, and so is everybody who played one.
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

#: Days after which a challenge that nobody took goes, and a match that ended before a move was made.
UNPLAYED = 60
#: Days after which a guest goes who has never played, brought, solved or made anything.
UNUSED = 180
#: Days after which the analysis of a whole game goes; whoever asks for it again gets it made again.
REVIEWS = 180
#: Seconds between two sweeps, and between two portions of one; rows of a portion.
PAUSE, BREATH, PORTION = 3_600, 0.2, 50

OF_MATCHES = [delete(table).where(table.c.match == bindparam("_id")) for table in (events, chat, archive)]
OF_MATCHES.append(delete(matches).where(matches.c.id == bindparam("_id")))
OF_JOBS = [
    delete(findings).where(findings.c.job == bindparam("_id")),
    delete(jobs).where(jobs.c.id == bindparam("_id")),
]
OF_GUESTS = [delete(guests).where(guests.c.id == bindparam("_id"))]


def unplayed(at: int) -> Select[Any]:
    """Find matches that never came to a move, and were left before a moment."""
    ended = select(archive.c.match).where(archive.c.plies == 0)
    never = or_(matches.c.phase == "open", and_(matches.c.phase == "over", matches.c.id.in_(ended)))
    return select(matches.c.id).where(never, matches.c.at < at)


def unused(at: int) -> Select[Any]:
    """Find guests who came before a moment and of whom there is nothing else."""
    traces = [matches.c.white, matches.c.black, matches.c.creator, matches.c.asked, archive.c.owner]
    columns = [*traces, tokens.c.person, dailies.c.guest]
    known = union(*(select(column).where(column.is_not(None)) for column in columns))
    return select(guests.c.id).where(guests.c.at < at, guests.c.id.not_in(known))


def reviewed(at: int) -> Select[Any]:
    """Find analyses of whole games that were done before a moment."""
    return select(jobs.c.id).where(jobs.c.done, jobs.c.at < at)


async def sweep(store: Store) -> int:
    """Remove what is too old. Gives how much that was."""
    moment, removed = now(), 0
    for wanted, statements in (
        (unplayed(moment - UNPLAYED * DAY), OF_MATCHES),
        (reviewed(moment - REVIEWS * DAY), OF_JOBS),
        (unused(moment - UNUSED * DAY), OF_GUESTS),
    ):
        while rows := await store.all(wanted.limit(PORTION)):
            steps: list[Step] = [(statement, {"_id": row.id}) for statement in statements for row in rows]
            await store.write(*steps)
            removed += len(rows)
            await asyncio.sleep(BREATH)
    return removed


async def keep(store: Store) -> None:
    """Sweep for ever."""
    while True:
        await asyncio.sleep(PAUSE)
        try:
            removed = await sweep(store)
            if removed:
                log.info("swept", removed=removed)
        except BusyError:
            pass  # The database is away: the next sweep finds the same.
        except Exception as error:
            log.error("sweep_failed", exc_info=error)
