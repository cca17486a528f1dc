"""NDJSON streams for bots: their challenges and matches, and the events of one match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Container
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import and_, or_

from acedrex.server import wire
from acedrex.server.match.state import Match
from acedrex.server.people.tokens import TokenHolder, Tokens
from acedrex.server.play import bots
from acedrex.server.play.listener import Listener
from acedrex.server.play.room import Room
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage.store import BusyError
from acedrex.server.storage.tables import matches
from acedrex.server.time_source import now
from acedrex.server.wire.bots import BotResponse

#: Seconds without lines after which an empty line keeps the stream alive.
KEEP_ALIVE = 6.0
#: Seconds for which changes of matches are collected before they are sent.
GATHER = 0.05
#: Lines that may wait for a slow reader before it is disconnected.
OUTBOX = 256
#: The maximum number of open match streams of one person.
MAX_MATCHES = 64

_encode = msgspec.json.Encoder().encode


def encode_line(message: BotResponse) -> str:
    """Return a message as a line of JSON."""
    return _encode(message).decode() + "\n"


class Subscriber(Struct, eq=False):
    """A stream of a person's challenges and matches, with what was last sent about each."""

    person: str
    base: str
    sent: dict[str, str] = field(default_factory=dict)
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(OUTBOX))

    def update(self, row: Any) -> None:
        """Send what has changed in a match, given its current row."""
        before = self.sent.get(row.id)
        message = self._message(row, before)
        if message is None:
            return
        if self.outbox.full():
            self.disconnect()
        else:
            self.outbox.put_nowait(encode_line(message))

    def disconnect(self) -> None:
        """Drop the waiting lines and end the stream."""
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def _message(self, row: Any, before: str | None) -> BotResponse | None:
        if row.opponent == "self":
            return None
        if row.phase == "open":
            if row.asked is None or before is not None:
                return None
            self.sent[row.id] = "challenge"
            return wire.bots.ChallengeReceived(bots.challenge(row, self.base))
        if row.phase == "over":
            self.sent.pop(row.id, None)
            if before == "challenge":
                challenge = bots.challenge(row, self.base)
                return (
                    wire.bots.ChallengeDeclined(challenge)
                    if challenge.status == "declined"
                    else wire.bots.ChallengeCanceled(challenge)
                )
            return wire.bots.GameFinish(bots.game(row, self.person)) if before == "game" else None
        if before == "game":
            return None
        self.sent[row.id] = "game"
        return wire.bots.GameStart(bots.game(row, self.person))


class Streams:
    """All streams of this process."""

    def __init__(self, rooms: Rooms, tokens: Tokens) -> None:
        """Start without streams."""
        self._rooms = rooms
        self._tokens = tokens
        self._subscribers: dict[str, Subscriber] = {}
        self._changed: set[str] = set()
        self._sending: asyncio.Task[None] | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._listeners: set[Listener] = set()

    def changed(self, match: str) -> None:
        """Note that a match was created, has begun or is over."""
        if self._subscribers:
            self._changed.add(match)
            if self._sending is None or self._sending.done():
                self._sending = asyncio.create_task(self._send_changes())

    async def _send_changes(self) -> None:
        while self._changed:
            await asyncio.sleep(GATHER)
            portion = [self._changed.pop() for _ in range(min(len(self._changed), bots.MAX_LISTED))]
            try:
                rows = await self._rooms.store.all(bots.rows(matches.c.id.in_(portion)))
            except BusyError:
                self._changed.update(portion)
                await asyncio.sleep(1)
                continue
            for row in rows:
                for person in bots.people_of(row):
                    if person in self._subscribers:
                        self._subscribers[person].update(row)

    def refresh(self) -> None:
        """Read all subscribers' matches again, since messages of other processes may have been missed."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh())

    async def _refresh(self) -> None:
        # If the database does not answer, the next refresh comes soon.
        with suppress(BusyError):
            for person, subscriber in list(self._subscribers.items()):
                sent = set(subscriber.sent)
                concerning = or_(matches.c.id.in_(sent), and_(*bots.concerning(person)))
                for row in await self._rooms.store.all(bots.rows(concerning)):
                    subscriber.update(row)

    def end(self, people: Container[str | None]) -> None:
        """End the streams of some people."""
        for subscriber in self._subscribers.values():
            if subscriber.person in people:
                subscriber.disconnect()
        for listener in self._listeners:
            if listener.person in people:
                listener.disconnect()

    def people(self) -> set[str]:
        """Return those whose streams are open."""
        return {*self._subscribers, *(listener.person for listener in self._listeners if listener.person)}

    def close(self) -> None:
        """End all streams."""
        for subscriber in self._subscribers.values():
            subscriber.disconnect()
        for listener in self._listeners:
            listener.disconnect()

    async def events(self, holder: TokenHolder, base: str) -> AsyncIterator[str]:
        """Stream a person's challenges and matches. A new stream ends the person's previous one."""
        person = holder.person.id
        if person in self._subscribers:
            self._subscribers[person].disconnect()
        subscriber = self._subscribers[person] = Subscriber(person, base)
        try:
            for row in await self._rooms.store.all(bots.rows(*bots.concerning(person))):
                subscriber.update(row)
            async for text in self._lines(subscriber.outbox, holder):
                yield text
        finally:
            if self._subscribers.get(person) is subscriber:
                del self._subscribers[person]

    def is_full(self, person: str) -> bool:
        """Return whether a person has the maximum number of match streams open."""
        return sum(listener.person == person for listener in self._listeners) >= MAX_MATCHES

    async def match(self, holder: TokenHolder, room: Room) -> AsyncIterator[str]:
        """Stream a match to a player until it is over."""
        listener = Listener(holder.person.id)
        self._listeners.add(listener)
        translator = _BotEvents(room)
        try:
            await room.join(listener)
            async for text in self._lines(listener.outbox, holder):
                if text == "\n":
                    yield text
                    continue
                async for line in translator.translate(text):
                    yield line
                if translator.is_over:
                    return
        finally:
            room.leave(listener)
            self._listeners.discard(listener)

    async def _lines(self, outbox: asyncio.Queue[str | None], holder: TokenHolder) -> AsyncIterator[str]:
        """Yield lines as they come, and empty lines to keep the stream alive, until it ends or the token is revoked."""
        # The token may have been revoked before the stream was known as that of its person.
        while await self._tokens.is_valid(holder):
            text: str | None = ""
            while text != "\n":
                try:
                    text = await asyncio.wait_for(outbox.get(), KEEP_ALIVE)
                except TimeoutError:
                    text = "\n"
                if text is None:
                    return
                yield text


class _Kind(Struct):
    """The type of a message to browsers."""

    type: str


class _BotEvents:
    """Translates the messages to browsers into those to bots."""

    def __init__(self, room: Room) -> None:
        self.is_over = False
        self._room = room
        self._last: BotResponse | None = None
        self._gone = False

    async def translate(self, text: str) -> AsyncIterator[str]:
        """Yield the lines for a message to browsers."""
        kind = msgspec.json.decode(text, type=_Kind).type
        if kind in ("snapshot", "update"):
            view: Callable[[Match, int], BotResponse] = bots.game_full if kind == "snapshot" else bots.game_state
            message = await self._room.view(lambda match: view(match, now()))
            # The match may be ahead of the message; then the next message brings nothing new.
            if message != self._last:
                self._last = message
                yield encode_line(message)
            self.is_over = self._room.match.phase == "over"
        elif kind == "chat":
            chat = msgspec.json.decode(text, type=wire.ChatMessage).line
            yield encode_line(
                wire.bots.BotChatMessage("spectator" if chat.by == "watcher" else "player", chat.name, chat.text)
            )
        elif kind == "presence":
            at = msgspec.json.decode(text, type=wire.Presence).left_claim_at
            if (at is not None) != self._gone:
                self._gone = at is not None
                seconds = None if at is None else max(0, (at - now()) // 1000)
                yield encode_line(wire.bots.OpponentGone(self._gone, seconds))
