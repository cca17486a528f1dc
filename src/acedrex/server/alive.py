"""Staying alive: a heartbeat, by which the server knows how long it was away, and what has to be done in time."""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy import and_, or_, select, update

from acedrex.server.decide import Refusal
from acedrex.server.metrics import ROOMS, THINKING
from acedrex.server.moment import now
from acedrex.server.rooms import Rooms
from acedrex.server.tables import beats, matches

log = structlog.get_logger()

#: Seconds between beats.
BEAT = 2
#: Milliseconds without a beat that count as absence while a process runs, such as when the machine slept.
ABSENCE = 10_000
#: Milliseconds after which a flag that has not fallen, or an engine that has not played, is somebody else's to see to.
LATE, STUCK = 2_000, 60_000


async def wake_up(rooms: Rooms) -> None:
    """Go on where the server stopped: clocks as they were, engines at work again."""
    # Where there are several processes, a young beat is that of another one: nothing was missed.
    await _beat(rooms, 2 * BEAT * 1000 if rooms.bus.shared else 0)


async def stay_alive(rooms: Rooms) -> None:
    """Beat, flag whoever has run out of time while nobody looked, close empty rooms."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            await _beat(rooms, ABSENCE)
            await _look_after(rooms)
            await rooms.close_idle()
            await rooms.store.tidy()
            if rooms.bus.shared:
                rooms.say_who_is_here()
            ROOMS.set(len(rooms))
            THINKING.set(rooms.engines.waiting)
        except Exception as error:
            log.error("beat_failed", exc_info=error)


async def _beat(rooms: Rooms, absence: int) -> None:
    """Beat; if that was not done for so long, let all matches go on as if no time had passed."""
    row = await rooms.store.first(select(beats.c.at))
    assert row is not None
    moment = now()
    away = moment - row.at if row.at else 0
    async with rooms.store.engine.begin() as connection:
        # Of several processes that find an old beat one sees to it: the one that changes it.
        changed = await connection.execute(update(beats).where(beats.c.at == row.at).values(at=moment))
    if away >= absence and changed.rowcount:
        await _go_on(rooms, away)
    rooms.awake = now()


async def _go_on(rooms: Rooms, away: int) -> None:
    wanted = or_(matches.c.deadline.is_not(None), matches.c.engine_due)
    for row in await rooms.store.all(select(matches.c.id).where(matches.c.phase != "over", wanted)):
        try:
            await (await rooms.get(row.id)).go_on(away)
        except Refusal as refusal:
            log.warning("cannot_go_on", match=row.id, problem=refusal.problem.message)
    log.info("went_on", away_ms=away)


async def _look_after(rooms: Rooms) -> None:
    flag = matches.c.deadline < now() - LATE
    stuck = and_(matches.c.engine_due, matches.c.at < now() - STUCK)
    wanted = select(matches.c.id).where(matches.c.phase.in_(("setup", "play")), or_(flag, stuck)).limit(100)
    for row in await rooms.store.all(wanted):
        try:
            (await rooms.get(row.id)).wake()
        except Refusal as refusal:
            log.warning("cannot_look_after", match=row.id, problem=refusal.problem.message)
    for room in rooms.open_rooms():
        await room.withdraw_if_forsaken()
