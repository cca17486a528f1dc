"""The socket of the lobby, which sends the open challenges whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable
from contextlib import suppress

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend
from acedrex.server.api.matches import challenges
from acedrex.server.api.sending import AGAIN, sending
from acedrex.server.match.decide import Refusal
from acedrex.server.play.listener import Listener
from acedrex.server.play.rooms import Rooms
from acedrex.server.services import services_of
from acedrex.server.storage.store import BusyError

router = APIRouter()
decoder = msgspec.json.Decoder(wire.Hello)
encode: Callable[[wire.FromLobby], bytes] = msgspec.json.Encoder().encode
#: Seconds for which changes are collected before they are sent.
GATHER = 0.2


class Hub:
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
        """Send the challenges to some listeners; those who own none of them share one encoded text."""
        async with self._lock:
            cards = await challenges(self._rooms)
            owners = {person for card in cards for person in card.people}
            texts: dict[str | None, str] = {}
            for listener in listeners:
                person = listener.person if listener.person in owners else None
                if person not in texts:
                    texts[person] = encode(wire.Lobby([card.challenge(person) for card in cards])).decode()
                listener.send(texts[person])

    async def join(self, listener: Listener) -> None:
        """Add a listener and send it the challenges."""
        self._listeners.add(listener)
        await self._send([listener])

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners.discard(listener)

    def end(self, people: Container[str | None]) -> None:
        """Disconnect some people."""
        for listener in self._listeners:
            if listener.person in people:
                listener.disconnect()

    def close(self) -> None:
        """Disconnect all listeners."""
        for listener in self._listeners:
            listener.disconnect()


@router.websocket("/api/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """Watch the lobby. A hello with a token is answered with a list that marks one's own challenges."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        services = services_of(websocket)
        listener = Listener(None)
        try:
            async with sending(websocket, listener):
                await services.lobby.join(listener)
                while True:
                    hello = parse(decoder, await websocket.receive_text())
                    spend(websocket, "work")
                    guest = await services.people.find(hello.token) if hello.token else None
                    listener.person = None if guest is None else guest.id
                    await services.lobby.join(listener)
        except Refusal as refusal:
            with suppress(RuntimeError, WebSocketDisconnect):
                await websocket.send_text(encode(wire.Refused(None, refusal.problem)).decode())
                await websocket.close(4400, refusal.problem.code)
        except BusyError:
            await websocket.close(*AGAIN)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            services.lobby.leave(listener)
