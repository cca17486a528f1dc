"""The rooms that are open: they are opened when somebody asks for a match, and closed when nobody needs them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from acedrex.server import catalogue, events
from acedrex.server.bus import Bus, Happened, Here, LobbyChanged, News, Spoken
from acedrex.server.decide import Refusal
from acedrex.server.engines import Engines
from acedrex.server.moment import now
from acedrex.server.room import Room
from acedrex.server.state import Match
from acedrex.server.store import Store

#: Milliseconds without company after which a room is closed.
IDLE = 60_000


class Rooms:
    """The rooms that are open in this process."""

    def __init__(self, store: Store, engines: Engines, bus: Bus) -> None:
        """Begin without any."""
        self.store = store
        self.engines = engines
        self.bus = bus
        self._open: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        #: When the server was known to be awake last: after a gap, or before it has begun, nobody is flagged.
        self.awake = 0
        #: What is called when the open challenges have changed.
        self.on_lobby: Callable[[], None] = lambda: None
        #: What is called when a match has been made, has begun or is over.
        self.on_match: Callable[[str], None] = lambda _: None

    def __len__(self) -> int:
        return len(self._open)

    def open_rooms(self) -> list[Room]:
        """Give the rooms that are open."""
        return list(self._open.values())

    async def get(self, id: str) -> Room:
        """Open a room.

        :raises Refusal: if there is no such match.
        """
        room = self._open.get(id)
        if room is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            try:
                room = await asyncio.shield(self._loading[id])
            finally:
                self._loading.pop(id, None)
            if room is None:
                raise Refusal("no_such_match", "there is no such match", "match")
        return room

    async def _load(self, id: str) -> Room | None:
        match = await self.load(id)
        if match is None:
            return None
        room = self._open[id] = Room(self, match)
        room.wake()
        return room

    async def load(self, id: str) -> Match | None:
        """Make a match of what is stored."""
        stored = await self.store.events(id)
        if not stored:
            return None
        first = stored[0]
        assert isinstance(first, events.Created)
        game = catalogue.restore(await self.store.definition(first.definition), first.file, first.options)
        if game.rules_hash != first.rules_hash:
            raise Refusal("rules_changed", f"the rules of {game.name} have changed since this match began", "match")
        return Match.fold(id, stored, game)

    async def close_idle(self) -> None:
        """Close the rooms that nobody needs."""
        for id, room in list(self._open.items()):
            if room.idle_since is not None and now() - room.idle_since > IDLE and not room.busy():
                del self._open[id]
                await room.close()

    async def tell(self, news: News) -> None:
        """Tell the other processes."""
        await self.bus.tell(news)

    async def match_made(self, id: str) -> None:
        """Tell everybody that there is a new match."""
        self.on_match(id)
        await self.tell(Happened(self.bus.process, id, 0, turned=True))

    async def lobby_changed(self) -> None:
        """Tell everybody that the open challenges have changed."""
        self.on_lobby()
        await self.tell(LobbyChanged(self.bus.process))

    async def hear(self, news: News) -> None:
        """Take in what another process says."""
        if isinstance(news, LobbyChanged):
            self.on_lobby()
            return
        if isinstance(news, Happened) and news.turned:
            self.on_match(news.match)
        room = self._open.get(news.match)
        match news:
            case _ if room is None:
                pass
            case Happened():
                await room.happened_elsewhere(news.number)
            case Spoken():
                room.send_all(news.text)
            case Here():
                room.here_elsewhere(news.process, news.here)

    def say_who_is_here(self) -> None:
        """Tell other processes anew who is with this one, lest they think it gone."""
        for room in self._open.values():
            if room.listeners:
                room.tell_presence()

    async def close(self) -> None:
        """Let everybody go."""
        for room in self.open_rooms():
            await room.close()
