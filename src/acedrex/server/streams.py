"""Streams of lines of JSON for bots: what concerns somebody, and what happens in one of their matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import and_, or_

from acedrex.server import bots, wire
from acedrex.server.listener import Listener
from acedrex.server.moment import now
from acedrex.server.room import Room
from acedrex.server.rooms import Rooms
from acedrex.server.state import Match
from acedrex.server.store import BusyError
from acedrex.server.tables import matches
from acedrex.server.tokens import TokenHolder, Tokens
from acedrex.server.wire.bots import BotResponse

#: Seconds of silence after which an empty line says that the stream is alive.
KEEP_ALIVE = 6.0
#: Seconds that news of matches are gathered for.
GATHER = 0.05
#: Lines that may wait for somebody who does not keep up.
WAITING = 256
#: Streams of matches that one person may have open.
MOST_MATCHES = 64

_encode = msgspec.json.Encoder().encode


def line(said: BotResponse) -> str:
    """Write a line."""
    return _encode(said).decode() + "\n"


class Subscriber(Struct, eq=False):
    """Somebody who hears of their challenges and matches, and what they have heard last of each."""

    person: str
    base: str
    told: dict[str, str] = field(default_factory=dict)
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(WAITING))

    def take(self, row: Any) -> None:
        """Take in how a match stands now."""
        before = self.told.get(row.id)
        said = self._news(row, before)
        if said is None:
            return
        if self.outbox.full():
            self.let_go()
        else:
            self.outbox.put_nowait(line(said))

    def let_go(self) -> None:
        """Say nothing more."""
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def _news(self, row: Any, before: str | None) -> BotResponse | None:
        if row.opponent == "self":
            return None
        if row.phase == "open":
            if row.asked is None or before is not None:
                return None
            self.told[row.id] = "challenge"
            return wire.bots.ChallengeReceived(bots.challenge(row, self.base))
        if row.phase == "over":
            self.told.pop(row.id, None)
            if before == "challenge":
                told = bots.challenge(row, self.base)
                return (
                    wire.bots.ChallengeDeclined(told)
                    if told.status == "declined"
                    else wire.bots.ChallengeCanceled(told)
                )
            return wire.bots.GameFinish(bots.game(row, self.person)) if before == "game" else None
        if before == "game":
            return None
        self.told[row.id] = "game"
        return wire.bots.GameStart(bots.game(row, self.person))


class Streams:
    """All streams of this process."""

    def __init__(self, rooms: Rooms, tokens: Tokens) -> None:
        """Begin without any."""
        self._rooms = rooms
        self._tokens = tokens
        self._hearers: dict[str, Subscriber] = {}
        self._changed: set[str] = set()
        self._telling: asyncio.Task[None] | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._listeners: set[Listener] = set()

    def changed(self, match: str) -> None:
        """Take in that a match was made, has begun or is over."""
        if self._hearers:
            self._changed.add(match)
            if self._telling is None or self._telling.done():
                self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self._changed:
            await asyncio.sleep(GATHER)
            some = [self._changed.pop() for _ in range(min(len(self._changed), bots.MOST))]
            try:
                rows = await self._rooms.store.all(bots.rows(matches.c.id.in_(some)))
            except BusyError:
                self._changed.update(some)
                await asyncio.sleep(1)
                continue
            for row in rows:
                for person in bots.people_of(row):
                    if person in self._hearers:
                        self._hearers[person].take(row)

    def refresh(self) -> None:
        """Look again at what concerns everybody here, since news of other processes may have been missed."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh())

    async def _refresh(self) -> None:
        # If the database does not answer, the next look comes soon.
        with suppress(BusyError):
            for person, hearer in list(self._hearers.items()):
                told = set(hearer.told)
                concerning = or_(matches.c.id.in_(told), and_(*bots.concerning(person)))
                for row in await self._rooms.store.all(bots.rows(concerning)):
                    hearer.take(row)

    def close(self) -> None:
        """Let everybody go."""
        for hearer in self._hearers.values():
            hearer.let_go()
        for listener in self._listeners:
            listener.let_go()

    async def events(self, holder: TokenHolder, base: str) -> AsyncIterator[str]:
        """Tell somebody of their challenges and matches. A new stream ends the one before."""
        person = holder.person.id
        if person in self._hearers:
            self._hearers[person].let_go()
        hearer = self._hearers[person] = Subscriber(person, base)
        try:
            for row in await self._rooms.store.all(bots.rows(*bots.concerning(person))):
                hearer.take(row)
            async for text in self._lines(hearer.outbox, holder):
                yield text
        finally:
            if self._hearers.get(person) is hearer:
                del self._hearers[person]

    def is_full(self, person: str) -> bool:
        """Tell whether somebody has as many streams of matches open as they may."""
        return sum(listener.person == person for listener in self._listeners) >= MOST_MATCHES

    async def match(self, holder: TokenHolder, room: Room) -> AsyncIterator[str]:
        """Tell a player all that happens in a match, until it is over."""
        listener = Listener(holder.person.id)
        self._listeners.add(listener)
        teller = _BotEvents(room, listener)
        try:
            await room.join(listener)
            async for text in self._lines(listener.outbox, holder):
                if text == "\n":
                    yield text
                    continue
                async for said in teller.hear(text):
                    yield said
                if teller.is_over:
                    return
        finally:
            room.leave(listener)
            self._listeners.discard(listener)

    async def _lines(self, outbox: asyncio.Queue[str | None], holder: TokenHolder) -> AsyncIterator[str]:
        """Give what comes, and empty lines while nothing does; until the end, or until the token is revoked."""
        while True:
            try:
                text = await asyncio.wait_for(outbox.get(), KEEP_ALIVE)
            except TimeoutError:
                if not await self._tokens.stands(holder):
                    return
                text = "\n"
            if text is None:
                return
            yield text


class _Kind(Struct):
    """What a message to browsers is."""

    type: str


class _BotEvents:
    """Says in the bots' way what browsers are told."""

    def __init__(self, room: Room, listener: Listener) -> None:
        self.is_over = False
        self._room = room
        self._listener = listener
        self._last: BotResponse | None = None
        self._gone = False

    async def hear(self, text: str) -> AsyncIterator[str]:
        """Take in a message."""
        kind = msgspec.json.decode(text, type=_Kind).type
        if kind in ("snapshot", "update"):
            view: Callable[[Match, int], BotResponse] = bots.game_full if kind == "snapshot" else bots.game_state
            said = await self._room.look(lambda match: view(match, now()))
            # The match may be further on than the message; what comes next is then known already.
            if said != self._last:
                self._last = said
                yield line(said)
            self.is_over = self._room.match.phase == "over"
        elif kind == "chat":
            spoken = msgspec.json.decode(text, type=wire.ChatMessage).line
            yield line(
                wire.bots.BotChatMessage("spectator" if spoken.by == "watcher" else "player", spoken.name, spoken.text)
            )
        elif kind == "presence":
            at = msgspec.json.decode(text, type=wire.Presence).left_claim_at
            if (at is not None) != self._gone:
                self._gone = at is not None
                seconds = None if at is None else max(0, (at - now()) // 1000)
                yield line(wire.bots.OpponentGone(self._gone, seconds))
