"""The rooms that are open: they are opened when somebody asks for a match, and closed when nobody needs them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from sqlalchemy import select

from acedrex.server import catalogue, events, moment, views, wire
from acedrex.server.bus import Broadcast, Bus, Heartbeat, LobbyChanged, MatchAudience, MatchChanged, News
from acedrex.server.decide import Absence, Refusal
from acedrex.server.engines import Engines
from acedrex.server.metrics import SET_ASIDE
from acedrex.server.moment import now
from acedrex.server.room import Room
from acedrex.server.state import Match
from acedrex.server.store import BrokenError, Store
from acedrex.server.tables import chat, matches

log = structlog.get_logger()

#: Milliseconds without company after which a room is closed.
IDLE = 60_000
#: Milliseconds without a heartbeat that count as absence: they are given back before anybody is flagged.
ABSENCE = 5_000
#: Events that are folded at once, about a millisecond's work.
TOGETHER = 10
#: Matches that are compared with the database at once.
PORTION = 500


class Rooms:
    """The rooms that are open in this process."""

    def __init__(self, store: Store, engines: Engines, bus: Bus) -> None:
        """Begin without any."""
        self.store = store
        self.engines = engines
        self.bus = bus
        self._open: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        #: Matches that cannot be read, which nobody tries to open again, and what is said of them.
        self.set_aside: dict[str, Refusal] = {}
        #: When the server was known to be awake last, and when it was not; in order, and none overlaps another.
        self.awake = now()
        self.absences: list[Absence] = []
        #: What is called when the open challenges have changed.
        self.on_lobby: Callable[[], None] = lambda: None
        #: What is called when a match has been made, has begun or is over.
        self.on_match: Callable[[str], None] = lambda _: None
        #: What is called when news of other processes may have been missed.
        self.on_refresh: Callable[[], None] = lambda: None

    def __len__(self) -> int:
        return len(self._open)

    def open_rooms(self) -> list[Room]:
        """Give the rooms that are open."""
        return list(self._open.values())

    async def get(self, id: str) -> Room:
        """Open a room.

        :raises Refusal: if match not found.
        """
        room = self._open.get(id)
        if room is not None:
            if self.bus.deaf:
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
        room = self._open[id] = Room(self, match)
        try:
            await room.go_on()
        except BaseException:
            await self.drop(room)
            raise
        room.wake()
        return room

    async def load(self, id: str) -> Match | None:
        """Make a match of what is stored.

        :raises Refusal: if that cannot be done: the match is set aside, and named in the log.
        """
        if id in self.set_aside:
            raise self.set_aside[id]
        try:
            stored = await self.store.events(id)
            if not stored:
                return None
            first, *more = stored
            if not isinstance(first, events.Created):
                raise BrokenError("it does not begin with its creation")
            text = await self.store.definition(first.definition)
        except BrokenError as error:
            raise self._broken(id, error) from None
        game = catalogue.restore(text, first.file, first.options)
        if game.rules_hash != first.rules_hash:
            changed = f"the rules of {game.name} have changed since this match began"
            raise self._put_aside(id, Refusal("rules_changed", changed, "match"), changed)
        match = Match.fold(id, [first], game)
        for place, event in enumerate(more, start=1):
            try:
                match.apply(event)
            except Exception as error:
                raise self._broken(id, error) from None
            if place % TOGETHER == 0:
                # A long match must not hold up the others.
                await asyncio.sleep(0)
        return match

    def _broken(self, id: str, error: Exception) -> Refusal:
        told = "this match is damaged; the details are in the server's log"
        return self._put_aside(id, Refusal("broken_match", told, "match"), str(error) or type(error).__name__)

    def _put_aside(self, id: str, refusal: Refusal, problem: str) -> Refusal:
        """Remember that a match cannot be read, and name it to whoever runs the server."""
        self.set_aside[id] = refusal
        SET_ASIDE.set(len(self.set_aside))
        log.error("match_set_aside", match=id, problem=problem)
        return refusal

    async def drop(self, room: Room) -> None:
        """Close a room that cannot go on; whoever was there may come back to what is stored."""
        if self._open.get(room.match.id) is room:
            del self._open[room.match.id]
        await room.close()

    # Absence.

    def notice(self) -> None:
        """Notice that the server was away, as when the machine slept: nobody may be flagged for it."""
        moment.keep_up(ABSENCE)
        if now() - self.awake > ABSENCE:
            log.warning("was_away", milliseconds=now() - self.awake)
            self.add_absence(Absence(self.awake, now()))

    def add_absence(self, absence: Absence) -> None:
        """Take in that the server was away."""
        while self.absences and self.absences[-1].until >= absence.since:
            last = self.absences.pop()
            absence = Absence(min(last.since, absence.since), max(last.until, absence.until))
        self.absences.append(absence)
        self.awake = max(self.awake, absence.until)

    # Other processes.

    async def compare(self) -> None:
        """Compare the open rooms with the database, and let those that have missed something catch up."""
        ids = list(self._open)
        for first in range(0, len(ids), PORTION):
            wanted = select(matches.c.id, matches.c.number).where(matches.c.id.in_(ids[first : first + PORTION]))
            for row in await self.store.all(wanted):
                room = self._open.get(row.id)
                if room is not None and row.number is not None and row.number != room.match.number:
                    await room.catch_up()

    async def refresh(self, seconds: float) -> None:
        """Look in the database for what other processes may have said in vain for some seconds."""
        await self.compare()
        attended = [id for id, room in self._open.items() if room.listeners]
        since = now() - int(seconds * 1000) - ABSENCE
        for first in range(0, len(attended), PORTION):
            wanted = chat.c.match.in_(attended[first : first + PORTION])
            for row in await self.store.all(select(chat).where(wanted, chat.c.at > since).order_by(chat.c.id)):
                if row.match in self._open:
                    # Whoever has heard it knows it by its id.
                    line = wire.ChatLine(row.id, row.by, row.name, row.text, row.at)
                    self._open[row.match].send_all(views.encode(wire.ChatMessage(line)).decode())
        self.on_lobby()
        self.on_refresh()

    async def close_idle(self) -> None:
        """Close the rooms that nobody needs."""
        for id, room in list(self._open.items()):
            if room.idle_since is not None and now() - room.idle_since > IDLE and not room.busy():
                del self._open[id]
                await room.close()

    def match_made(self, id: str) -> None:
        """Tell everybody that there is a new match."""
        self.on_match(id)
        self.bus.tell(MatchChanged(self.bus.process, id, 0, turned=True))

    def lobby_changed(self) -> None:
        """Tell everybody that the open challenges have changed."""
        self.on_lobby()
        self.bus.tell(LobbyChanged(self.bus.process))

    async def hear(self, news: News) -> None:
        """Take in what another process says."""
        if isinstance(news, Heartbeat):
            return
        if isinstance(news, LobbyChanged):
            self.on_lobby()
            return
        if isinstance(news, MatchChanged) and news.turned:
            self.on_match(news.match)
        room = self._open.get(news.match)
        match news:
            case _ if room is None:
                pass
            case MatchChanged():
                if news.number > room.match.number:
                    await room.catch_up()
            case Broadcast():
                room.send_all(news.text)
            case MatchAudience():
                room.here_elsewhere(news.process, news.here)

    def say_who_is_here(self) -> None:
        """Tell other processes anew who is with this one, lest they think it gone."""
        for room in self._open.values():
            if room.listeners:
                room.say_who_is_here()

    async def close(self) -> None:
        """Let everybody go."""
        for room in self.open_rooms():
            await room.close()
