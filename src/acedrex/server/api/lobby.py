"""The socket of the lobby: the open challenges whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend
from acedrex.server.api.matches import challenges
from acedrex.server.api.sending import AGAIN, sending
from acedrex.server.api.services import services_of
from acedrex.server.decide import Refusal
from acedrex.server.listener import Listener
from acedrex.server.rooms import Rooms
from acedrex.server.store import BusyError

router = APIRouter()
decoder = msgspec.json.Decoder(wire.Hello)
encode: Callable[[wire.FromLobby], bytes] = msgspec.json.Encoder().encode
#: Seconds that changes are gathered for.
GATHER = 0.2


class Hub:
    """Everybody who looks at the lobby."""

    def __init__(self, rooms: Rooms) -> None:
        """Begin without anybody."""
        self._rooms = rooms
        self._listeners: set[Listener] = set()
        self._telling: asyncio.Task[None] | None = None
        self._is_stale = False
        #: Held from reading the challenges until they are told, so that nobody hears of older ones later.
        self._lock = asyncio.Lock()

    def changed(self) -> None:
        """Tell everybody in a moment."""
        self._is_stale = True
        if self._listeners and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell_all())

    async def _tell_all(self) -> None:
        while self._is_stale:
            await asyncio.sleep(GATHER)
            # What changes while the challenges are read is told once more.
            self._is_stale = False
            try:
                await self._tell(self._listeners)
            except BusyError:
                self._is_stale = True
                await asyncio.sleep(1)

    async def _tell(self, listeners: Iterable[Listener]) -> None:
        """Tell some the challenges, with one text for all who have none among them."""
        async with self._lock:
            found = await challenges(self._rooms)
            owners = {person for card in found for person in card.people}
            texts: dict[str | None, str] = {}
            for listener in listeners:
                person = listener.person if listener.person in owners else None
                if person not in texts:
                    texts[person] = encode(wire.Lobby([card.challenge(person) for card in found])).decode()
                listener.send(texts[person])

    async def join(self, listener: Listener) -> None:
        """Let somebody look."""
        self._listeners.add(listener)
        await self._tell([listener])

    def leave(self, listener: Listener) -> None:
        """Let somebody go."""
        self._listeners.discard(listener)

    def close(self) -> None:
        """Let everybody go."""
        for listener in self._listeners:
            listener.let_go()


@router.websocket("/api/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """Look at the lobby. A hello with a token is answered with which challenges are one's own."""
    async with admitted(websocket) as may:
        if not may:
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
