"""Staying alive: a heartbeat, by which the server knows how long it was away, and what has to be done in time."""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy import and_, func, insert, or_, select, update

from acedrex.server.bus import Heartbeat
from acedrex.server.decide import Absence, Refusal
from acedrex.server.metrics import ROOMS, THINKING
from acedrex.server.moment import now
from acedrex.server.rooms import ABSENCE, Rooms
from acedrex.server.store import BusyError
from acedrex.server.tables import absences, beats, matches

log = structlog.get_logger()

#: Seconds between beats, and between two times that a process tells the others who is with it.
BEAT, PRESENCE = 2, 10
#: Milliseconds after which a flag that has not fallen, or an engine that has not played, is somebody else's to see to.
LATE, STUCK = 2_000, 60_000


async def wake_up(rooms: Rooms) -> None:
    """Go on where the server stopped. Matches are opened again when they are asked for, or something is due in them."""
    # Where there are several processes, a young beat is that of another one: nothing was missed.
    await beat(rooms, ABSENCE if rooms.bus.shared else 0)


async def stay_alive(rooms: Rooms) -> None:
    """Beat for ever."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            rooms.bus.tell(Heartbeat(rooms.bus.process))
            await beat(rooms, ABSENCE)
        except BusyError:
            log.warning("no_beat")
        except Exception as error:
            log.error("beat_failed", exc_info=error)


async def beat(rooms: Rooms, absence: int) -> None:
    """Beat; remember it as an absence if no process has done so for some milliseconds."""
    last = rooms.absences[-1] if rooms.absences else Absence(0, 0)
    rooms.notice()
    async with rooms.store.connected() as connection:
        at = (await connection.execute(select(beats.c.at))).scalar_one()
        known = select(absences).where(absences.c.until > last.until).order_by(absences.c.until)
        missed = [Absence(row.since, row.until) for row in (await connection.execute(known)).all()]
        moment = now()
        # A copy of a database has no beat: it stopped with its last event.
        since = at or (await connection.execute(select(func.max(matches.c.at)))).scalar_one() or moment
        # Of several processes that find an old beat one sees to it: the one that changes it.
        changed = await connection.execute(update(beats).where(beats.c.at == at).values(at=moment))
        if changed.rowcount and moment - since >= absence and moment > since:
            await connection.execute(insert(absences).values(since=since, until=moment))
            missed.append(Absence(since, moment))
            log.info("was_away", milliseconds=moment - since)
        await connection.commit()
    for one in missed:
        rooms.add_absence(one)
    rooms.awake = now()
    if rooms.absences and rooms.absences[-1] != last:
        await asyncio.gather(*(room.go_on() for room in rooms.open_rooms()), return_exceptions=True)


async def look_after(rooms: Rooms) -> None:
    """Do for ever what is due where nobody looks: flags, the engine's turns, forsaken challenges, empty rooms."""
    # At the start no engine thinks yet.
    stuck, told = 0, 0.0
    while True:
        try:
            await see_to_it(rooms, stuck)
            stuck = STUCK
            for room in rooms.open_rooms():
                await room.withdraw_if_forsaken()
            await rooms.close_idle()
            await rooms.store.tidy()
            if rooms.bus.shared:
                await rooms.compare()
                if rooms.bus.deaf:
                    await rooms.refresh(rooms.bus.silence)
                told += BEAT
                if told >= PRESENCE:
                    rooms.say_who_is_here()
                    told = 0.0
            ROOMS.set(len(rooms))
            THINKING.set(rooms.engines.waiting)
        except BusyError:
            pass  # The database is away; the heartbeat says so.
        except Exception as error:
            log.error("look_after_failed", exc_info=error)
        await asyncio.sleep(BEAT)


async def see_to_it(rooms: Rooms, stuck: int) -> None:
    """Open matches in which a flag should have fallen, or the engine has not played for some milliseconds."""
    flag = matches.c.deadline < now() - LATE
    waits = and_(matches.c.engine_due, matches.c.at < now() - stuck)
    wanted = select(matches.c.id).where(matches.c.phase.in_(("setup", "play")), or_(flag, waits))
    if rooms.set_aside:
        wanted = wanted.where(matches.c.id.not_in(rooms.set_aside))
    for row in await rooms.store.all(wanted.limit(100)):
        try:
            (await rooms.get(row.id)).wake()
        except Refusal as refusal:
            log.warning("cannot_look_after", match=row.id, problem=refusal.problem.message)
