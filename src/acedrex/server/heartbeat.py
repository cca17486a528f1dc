"""The heartbeat, which records how long the server was down, and the periodic check of matches and rooms."""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy import and_, func, insert, or_, select, update

from acedrex.server.bus import Heartbeat
from acedrex.server.match.decide import Absence
from acedrex.server.metrics import ROOMS, THINKING
from acedrex.server.play.downtime import ABSENCE
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError
from acedrex.server.storage.tables import absences, beats, matches
from acedrex.server.time_source import now

log = structlog.get_logger()

#: Seconds between heartbeats, and between a process's reports of who is connected to it.
BEAT, PRESENCE = 2, 10
#: Milliseconds after which a match with an overdue flag or engine move is woken, if no process has handled it.
LATE, STUCK = 2_000, 60_000


async def start(rooms: Rooms) -> None:
    """Record how long the server was down. Matches are opened again when they are requested or overdue."""
    # With several processes a recent beat is that of another process: the server was not down.
    await beat(rooms, ABSENCE if rooms.bus.shared else 0)


async def beat_forever(rooms: Rooms) -> None:
    """Beat every few seconds, forever."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            rooms.bus.publish(Heartbeat(rooms.bus.process))
            await beat(rooms, ABSENCE)
        except BusyError:
            log.warning("heartbeat_missed")
        except Exception as error:
            log.error("beat_failed", exc_info=error)


async def beat(rooms: Rooms, absence: int) -> None:
    """Beat; if no process has done so for ``absence`` milliseconds, record that as an absence."""
    last = rooms.downtime.absences[-1] if rooms.downtime.absences else Absence(0, 0)
    rooms.downtime.detect_suspension()
    async with rooms.store.connected() as connection:
        at = (await connection.execute(select(beats.c.at))).scalar_one()
        query = select(absences).where(absences.c.until > last.until).order_by(absences.c.until)
        missed = [Absence(row.since, row.until) for row in (await connection.execute(query)).all()]
        moment = now()
        # A restored backup has no beat: it stopped with its last event.
        since = at or (await connection.execute(select(func.max(matches.c.at)))).scalar_one() or moment
        # Of several processes that find an old beat, only the one that updates it records the absence.
        changed = await connection.execute(update(beats).where(beats.c.at == at).values(at=moment))
        if changed.rowcount and moment - since >= absence and moment > since:
            await connection.execute(insert(absences).values(since=since, until=moment))
            missed.append(Absence(since, moment))
            log.info("downtime_recorded", milliseconds=moment - since)
        await connection.commit()
    for each in missed:
        rooms.downtime.add(each)
    rooms.downtime.awake = now()
    if rooms.downtime.absences and rooms.downtime.absences[-1] != last:
        await asyncio.gather(*(room.resume() for room in rooms.open_rooms()), return_exceptions=True)


async def check_forever(rooms: Rooms) -> None:
    """Handle overdue flags and engine turns, abandoned challenges and idle rooms, every few seconds, forever."""
    # At the start no engine is thinking, so none is given time to finish.
    stuck, since_presence = 0, 0.0
    while True:
        try:
            await wake_overdue(rooms, stuck)
            stuck = STUCK
            for room in rooms.open_rooms():
                await room.withdraw_if_abandoned()
            await rooms.close_idle()
            await rooms.store.tidy()
            if rooms.bus.shared:
                await rooms.compare()
                if rooms.bus.is_cut_off:
                    await rooms.refresh(rooms.bus.silence)
                since_presence += BEAT
                if since_presence >= PRESENCE:
                    rooms.share_presence()
                    since_presence = 0.0
            ROOMS.set(len(rooms))
            THINKING.set(rooms.engines.waiting)
        except BusyError:
            pass  # The database is down; the heartbeat logs that.
        except Exception as error:
            log.error("overdue_check_failed", exc_info=error)
        await asyncio.sleep(BEAT)


async def wake_overdue(rooms: Rooms, stuck: int) -> None:
    """Open matches in which a flag should have fallen, or the engine has not moved for ``stuck`` milliseconds."""
    flag = matches.c.deadline < now() - LATE
    engine = and_(matches.c.engine_due, matches.c.at < now() - stuck)
    query = select(matches.c.id).where(matches.c.phase.in_(("setup", "play")), or_(flag, engine))
    if rooms.set_aside:
        query = query.where(matches.c.id.not_in(rooms.set_aside))
    for row in await rooms.store.all(query.limit(100)):
        try:
            (await rooms.get(row.id)).wake()
        except Refusal as refusal:
            log.warning("cannot_look_after", match=row.id, problem=refusal.problem.message)
