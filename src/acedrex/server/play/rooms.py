"""The open rooms: a room is opened when its match is requested, and closed when it is no longer used."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from sqlalchemy import select

from acedrex.errors import Error
from acedrex.server import wire
from acedrex.server.bus import (
    Bus,
    BusMessage,
    DeletionAsked,
    Heartbeat,
    LineSaid,
    LobbyChanged,
    MatchAudience,
    MatchChanged,
    MatchRated,
    MessageSent,
    PeopleOnline,
    SessionsEnded,
    Spent,
    StudyTouched,
    TournamentAudience,
    TournamentChanged,
)
from acedrex.server.games import catalogue
from acedrex.server.match import events
from acedrex.server.match.events import BrokenError
from acedrex.server.match.state import Match
from acedrex.server.metrics import SET_ASIDE
from acedrex.server.play.downtime import ABSENCE
from acedrex.server.play.engines import Engines
from acedrex.server.play.room import STALE, Room
from acedrex.server.play.shared import Shared
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Store
from acedrex.server.storage.tables import chat, matches
from acedrex.server.time_source import now
from acedrex.server.wire import Side

log = structlog.get_logger()

#: Milliseconds without listeners after which a room is closed.
IDLE = 60_000
#: Events applied between two yields to the event loop, about a millisecond's work.
EVENTS_PER_STEP = 10
#: Matches compared with the database in one query.
PORTION = 500


class Rooms:
    """The open rooms of this process."""

    def __init__(self, store: Store, engines: Engines, bus: Bus) -> None:
        """Start without rooms."""
        self.store = store
        self.engines = engines
        self.bus = bus
        self.shared = Shared(store, engines, bus)
        self.downtime = self.shared.downtime
        self._open: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        #: The players that each other process last reported as connected to a match, and when; the latest report last.
        self._elsewhere: dict[str, OrderedDict[str, tuple[int, wire.Presence]]] = {}
        #: Matches that cannot be read and are not opened again, with the refusal for them.
        self.set_aside: dict[str, Refusal] = {}
        #: Called with what visitors have spent in another process.
        self.on_spent: Callable[[list[tuple[str, str, str, float]]], None] = lambda _: None
        #: Called when messages of other processes may have been missed.
        self.on_refresh: Callable[[], None] = lambda: None
        #: Called when another process has been asked to delete somebody's data.
        self.on_deletion: Callable[[], None] = lambda: None
        #: Called with a person some of whose sessions were ended in another process.
        self.on_sessions_ended: Callable[[str], None] = lambda _: None
        #: Called with people who are online in another process, and with somebody who got a message there.
        self.on_online: Callable[[list[str]], None] = lambda _: None
        self.on_message: Callable[[str], None] = lambda _: None
        #: Called with a tournament that has changed in another process, and with that process and who looks at
        #: tournaments there.
        self.on_tournament: Callable[[str], None] = lambda _: None
        self.on_tournament_audience: Callable[[str, dict[str, list[str]]], None] = lambda *_: None
        #: Called when a study was changed in another process.
        self.on_study: Callable[[StudyTouched], Coroutine[Any, Any, None]] = _ignore
        #: What is being read because of messages.
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._open)

    def has_player(self, id: str) -> bool:
        """Return whether a player of a match is connected, as far as this process knows."""
        room = self._open.get(id)
        return room is not None and (room.presence().white or room.presence().black)

    def sees(self, id: str, side: Side) -> bool:
        """Return whether the player of a side is connected to a match, in this process or in another one."""
        room = self._open.get(id)
        here = [] if room is None else [room.presence()]
        fresh = now() - STALE
        reported = [found[id] for found in self._elsewhere.values() if id in found]
        there = [part for at, part in reported if at > fresh]
        return any(getattr(part, side) for part in [*here, *there])

    def _note_audience(self, message: MatchAudience) -> None:
        """Note who is connected to matches in another process."""
        moment, found = now(), self._elsewhere.setdefault(message.process, OrderedDict())
        for match, here in message.matches.items():
            found.pop(match, None)
            if here.white or here.black:
                found[match] = moment, here
            if match in self._open:
                self._open[match].set_remote_presence(message.process, here)
        for process, found in list(self._elsewhere.items()):
            while found and next(iter(found.values()))[0] < moment - STALE:
                found.popitem(last=False)
            if not found:
                del self._elsewhere[process]

    def open_rooms(self) -> list[Room]:
        """Return the open rooms."""
        return list(self._open.values())

    async def get(self, id: str) -> Room:
        """Return the room of a match, opening it if necessary.

        :raises Refusal: if there is no such match, or it cannot be read.
        """
        room = self._open.get(id)
        if room is not None:
            if self.bus.is_cut_off:
                await room.catch_up()
            return room
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.create_task(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id))
        room = await asyncio.shield(loading)
        if room is None:
            raise Refusal("no_such_match", "match not found", "match")
        return room

    async def _load(self, id: str) -> Room | None:
        match = await self.load(id)
        if match is None:
            return None
        room = self._open[id] = Room(self.shared, match, self.drop)
        try:
            await room.resume()
        except BaseException:
            await self.drop(room)
            raise
        room.wake()
        return room

    async def load(self, id: str) -> Match | None:
        """Load a match from its stored events.

        :raises Refusal: if it cannot be read; it is then set aside and named in the log.
        """
        if id in self.set_aside:
            # A new one, since one that is raised keeps the stack.
            raise Refusal(*self.set_aside[id].args)
        try:
            stored = await self.store.events(id)
            if not stored:
                return None
            first, *more = stored
            if not isinstance(first, events.Created):
                raise BrokenError("it does not begin with its creation")
            text = await self.store.definition(first.definition)
            # A later version of Acedrex may no longer compile what an earlier one did.
            game = await asyncio.to_thread(catalogue.restore, text, first.file, first.options, first.rules_hash)
        except (BrokenError, Error) as error:
            raise self._broken(id, error) from None
        try:
            match = Match(id, [first], game)
            for place, event in enumerate(more, start=1):
                match.apply(event)
                if place % EVENTS_PER_STEP == 0:
                    # A long match must not hold up the others.
                    await asyncio.sleep(0)
        except Exception as error:
            raise self._broken(id, error) from None
        return match

    def _broken(self, id: str, error: Exception) -> Refusal:
        message = "this match is damaged; the details are in the server's log"
        return self._put_aside(id, Refusal("broken_match", message, "match"), str(error) or type(error).__name__)

    def _put_aside(self, id: str, refusal: Refusal, problem: str) -> Refusal:
        """Remember that a match cannot be read, and name it in the log for the operator."""
        self.set_aside[id] = Refusal(*refusal.args)
        SET_ASIDE.set(len(self.set_aside))
        log.error("match_set_aside", match=id, problem=problem)
        return refusal

    async def drop(self, room: Room) -> None:
        """Close a room that cannot continue; its listeners may reconnect to the match as stored."""
        if self._open.get(room.match.id) is room:
            del self._open[room.match.id]
        await room.close()

    # Other processes.

    async def compare(self) -> None:
        """Compare the open rooms with the database: those that have missed events catch up, deleted ones are closed."""
        rooms = self.open_rooms()
        for first in range(0, len(rooms), PORTION):
            portion = rooms[first : first + PORTION]
            query = select(matches.c.id, matches.c.number).where(matches.c.id.in_([room.match.id for room in portion]))
            numbers = {row.id: row.number for row in await self.store.all(query)}
            for room in portion:
                if room.match.id not in numbers:
                    await self.drop(room)
                elif numbers[room.match.id] not in (None, room.match.number):
                    await room.catch_up()

    async def refresh(self, seconds: float) -> None:
        """Read from the database what other processes may have sent in vain during some seconds."""
        await self.compare()
        attended = [id for id, room in self._open.items() if room.listeners]
        since = now() - int(seconds * 1000) - ABSENCE
        for first in range(0, len(attended), PORTION):
            in_portion = chat.c.match.in_(attended[first : first + PORTION])
            for row in await self.store.all(select(chat).where(in_portion, chat.c.at > since).order_by(chat.c.id)):
                if row.match in self._open:
                    # A browser that has this line already recognises it by its id.
                    line = wire.ChatLine(row.id, row.by, row.name, row.text, row.at)
                    self._open[row.match].send_line(line, row.person)
        self.shared.on_lobby()
        self.on_refresh()

    async def close_idle(self) -> None:
        """Close the rooms that are no longer used."""
        for id, room in list(self._open.items()):
            if room.idle_since is not None and now() - room.idle_since > IDLE and not room.busy():
                del self._open[id]
                await room.close()

    def receive(self, message: BusMessage) -> None:
        """Handle a message of another process; what has to be read for it must not hold up the next one."""
        if isinstance(message, Heartbeat):
            return
        if isinstance(message, Spent):
            self.on_spent(message.amounts)
            return
        if isinstance(message, LobbyChanged):
            self.shared.on_lobby()
            return
        if isinstance(message, DeletionAsked):
            self.on_deletion()
            return
        if isinstance(message, SessionsEnded):
            self.on_sessions_ended(message.person)
            return
        if isinstance(message, PeopleOnline):
            self.on_online(message.people)
            return
        if isinstance(message, MessageSent):
            self.on_message(message.person)
            return
        if isinstance(message, TournamentChanged):
            self.on_tournament(message.tournament)
            return
        if isinstance(message, TournamentAudience):
            self.on_tournament_audience(message.process, message.people)
            return
        if isinstance(message, StudyTouched):
            self._start(self.on_study(message))
            return
        if isinstance(message, MatchAudience):
            self._note_audience(message)
            return
        if isinstance(message, MatchChanged) and message.turned:
            self.shared.on_match(message.match)
        room = self._open.get(message.match)
        match message:
            case _ if room is None:
                pass
            case MatchChanged():
                room.hear(message.number, message.events)
            case LineSaid():
                room.send_line(message.line, message.person)
            case MatchRated():
                self._start(room.send_ratings())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def rated(self, id: str) -> None:
        """Tell in all processes that a match has changed the ratings of its players."""
        self.bus.publish(MatchRated(self.bus.process, id))
        if id in self._open:
            await self._open[id].send_ratings()

    def share_presence(self) -> None:
        """Tell other processes again who is connected to this one, before their record of it is out of date."""
        here = [(id, room.local_presence()) for id, room in self._open.items() if room.listeners]
        for first in range(0, len(here), PORTION):
            self.bus.publish(MatchAudience(self.bus.process, dict(here[first : first + PORTION])))

    async def close(self) -> None:
        """Close all rooms."""
        for task in list(self._tasks):
            task.cancel()
        for room in self.open_rooms():
            await room.close()


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except BusyError:
        pass  # The next comparison with the database finds what the message announced.
    except Exception as error:
        log.error("news_failed", exc_info=error)


async def _ignore(_: StudyTouched) -> None:
    """Do nothing: nobody has a study open."""
