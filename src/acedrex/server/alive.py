"""Staying alive: a heartbeat, by which the server knows how long it was away, and what has to be done in time."""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy import or_, select

from acedrex.server.decide import Refusal
from acedrex.server.metrics import ROOMS, THINKING
from acedrex.server.moment import now
from acedrex.server.rooms import Rooms
from acedrex.server.store import BEAT
from acedrex.server.tables import beats, matches

log = structlog.get_logger()

#: Seconds between beats, and milliseconds without one that count as absence.
BEAT_SECONDS = 2
ABSENCE = 10_000


async def wake_up(rooms: Rooms) -> None:
    """Go on where the server stopped: clocks as they were, engines at work again."""
    row = await rooms.store.first(select(beats.c.at))
    last = row.at if row is not None and row.at else now()
    away = now() - last
    # While another process is alive nothing was missed.
    others_live = away < BEAT_SECONDS * 1000 * 2 and rooms.bus.shared
    await rooms.store.write((BEAT, {"_at": now()}))
    rooms.awake = now()
    if others_live:
        return
    await _go_on(rooms, away)


async def _go_on(rooms: Rooms, away: int) -> None:
    wanted = or_(matches.c.deadline.is_not(None), matches.c.engine_due)
    for row in await rooms.store.all(select(matches.c.id).where(matches.c.phase != "over", wanted)):
        try:
            room = await rooms.get(row.id)
            await room.go_on(away)
        except Refusal as refusal:
            log.warning("cannot_go_on", match=row.id, problem=refusal.problem.message)
    log.info("went_on", away_ms=away)


async def stay_alive(rooms: Rooms) -> None:
    """Beat, flag whoever has run out of time while nobody looked, close empty rooms."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            missed = now() - rooms.awake
            await rooms.store.write((BEAT, {"_at": now()}))
            if missed > ABSENCE:  # the machine slept
                await _go_on(rooms, missed)
            rooms.awake = now()
            await _look_at_deadlines(rooms)
            rooms.close_idle()
            ROOMS.set(len(rooms))
            THINKING.set(rooms.engines.waiting)
        except Exception as error:
            log.error("beat_failed", exc_info=error)


async def _look_at_deadlines(rooms: Rooms) -> None:
    over = (matches.c.phase != "over", matches.c.deadline < now() - 2_000)
    for row in await rooms.store.all(select(matches.c.id).where(*over).limit(100)):
        try:
            await rooms.get(row.id)  # its timer does the rest
        except Refusal as refusal:
            log.warning("cannot_flag", match=row.id, problem=refusal.problem.message)
