"""The lobby: the open challenges, sent to its listeners whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable

import msgspec
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.people import relations
from acedrex.server.people.profiles import challenges as told
from acedrex.server.play.listener import Listener
from acedrex.server.play.rooms import Rooms
from acedrex.server.ratings.results import pool_of, shown, standings
from acedrex.server.storage import cards
from acedrex.server.storage.store import BusyError
from acedrex.server.storage.tables import matches
from acedrex.server.time_source import now

encode: Callable[[wire.FromLobby], bytes] = msgspec.json.Encoder().encode
#: Milliseconds that a live challenge stays in the lobby, and that a match without new moves counts as in progress.
LIVE, FRESH = 3_600_000, 14 * 86_400_000
#: Seconds for which changes are collected before they are sent.
GATHER = 0.2


async def challenges(rooms: Rooms) -> list[cards.Card]:
    """Read the open challenges."""
    conditions = (matches.c.phase == "open", matches.c.opponent == "lobby", matches.c.at > now() - FRESH)
    rows = await rooms.store.all(select(matches.c.card).where(*conditions).order_by(matches.c.at.desc()).limit(100))
    found = [cards.read(row.card) for row in rows]
    return [card for card in found if isinstance(card.time, wire.Correspondence) or card.at > now() - LIVE]


async def ratings_of(rooms: Rooms, found: Iterable[cards.Card]) -> dict[str, wire.Rating]:
    """Read the ratings of those who have made some open challenges, for each that is rated."""
    rated = {card.match: (card.by, pool_of(card.game.id, card.time)) for card in found if card.rated and card.by}
    known = await standings(rooms.store, rated.values()) if rated else {}
    return {match: shown(known[key]) for match, key in rated.items()}


def visible(found: Iterable[cards.Card], hidden: Container[str]) -> list[cards.Card]:
    """Return the challenges that were not made by certain people."""
    return [card for card in found if not any(person in hidden for person in card.people if person)]


class Lobby:
    """The listeners of the lobby."""

    def __init__(self, rooms: Rooms) -> None:
        """Start without listeners."""
        self._rooms = rooms
        self._listeners: set[Listener] = set()
        self._sending: asyncio.Task[None] | None = None
        self._is_stale = False
        #: Held from reading the challenges until they are sent, so that no listener gets an older list last.
        self._lock = asyncio.Lock()

    def changed(self) -> None:
        """Send the challenges to all listeners soon."""
        self._is_stale = True
        if self._listeners and (self._sending is None or self._sending.done()):
            self._sending = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._is_stale:
            await asyncio.sleep(GATHER)
            # A change while the challenges are read is sent in another round.
            self._is_stale = False
            try:
                await self._send(self._listeners)
            except BusyError:
                self._is_stale = True
                await asyncio.sleep(1)

    async def _send(self, listeners: Iterable[Listener]) -> None:
        """Send the challenges to some listeners; those who own none, and are blocked by nobody, share one text."""
        async with self._lock:
            cards = await challenges(self._rooms)
            owners = {person for card in cards for person in card.people if person is not None}
            hidden = await relations.hidden(self._rooms.store, owners)
            ratings = await ratings_of(self._rooms, cards)
            texts: dict[str | None, str] = {}
            for listener in list(listeners):
                person = listener.person if listener.person in owners or listener.person in hidden else None
                if person not in texts:
                    visible_to = visible(cards, hidden.get(person or "", set()))
                    lobby = wire.Lobby(await told(self._rooms.store, visible_to, person, ratings))
                    texts[person] = encode(lobby).decode()
                listener.send(texts[person])

    async def join(self, listener: Listener) -> None:
        """Add a listener and send it the challenges."""
        self._listeners.add(listener)
        await self._send([listener])

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners.discard(listener)

    def tell(self, person: str) -> None:
        """Tell a person that there is a new message."""
        text = encode(wire.Unread()).decode()
        for listener in self._listeners:
            if listener.person == person:
                listener.send(text)

    def people(self) -> set[str]:
        """Return who is here: the ids of people, and the addresses of visitors without one."""
        return {listener.person or listener.address for listener in self._listeners}

    def end(self, people: Container[str | None]) -> None:
        """Disconnect some people."""
        for listener in self._listeners:
            if listener.person in people:
                listener.disconnect()

    def close(self) -> None:
        """Disconnect all listeners."""
        for listener in self._listeners:
            listener.disconnect()
