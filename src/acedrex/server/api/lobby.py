"""The socket of the lobby: the open challenges whenever they change."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import cards, wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted
from acedrex.server.api.matches import challenges
from acedrex.server.decide import Refusal
from acedrex.server.rooms import Rooms
from acedrex.server.views import encode

router = APIRouter()
decoder = msgspec.json.Decoder(wire.Hello)
#: Seconds that changes are gathered for.
GATHER = 0.2


class Hub:
    """Everybody who looks at the lobby."""

    def __init__(self, rooms: Rooms) -> None:
        """Begin without anybody."""
        self._rooms = rooms
        self._people: dict[WebSocket, str | None] = {}
        self._telling: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Tell everybody in a moment."""
        if self._people and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell_all())

    async def _tell_all(self) -> None:
        await asyncio.sleep(GATHER)
        found = await challenges(self._rooms)
        for websocket, person in list(self._people.items()):
            await self._tell(websocket, person, found)

    async def _tell(self, websocket: WebSocket, person: str | None, found: list[cards.Card]) -> None:
        said = wire.Lobby([card.challenge(person) for card in found])
        with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            await asyncio.wait_for(websocket.send_text(encode(said).decode()), 5)

    async def stay(self, websocket: WebSocket, person: str | None) -> None:
        """Let somebody look."""
        self._people[websocket] = person
        await self._tell(websocket, person, await challenges(self._rooms))

    def leave(self, websocket: WebSocket) -> None:
        """Let somebody go."""
        self._people.pop(websocket, None)

    async def close(self) -> None:
        """Let everybody go."""
        for websocket in list(self._people):
            with suppress(RuntimeError, WebSocketDisconnect):
                await websocket.close(1012, "come back in a moment")


@router.websocket("/api/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """Look at the lobby. A hello with a token is answered with which challenges are one's own."""
    async with admitted(websocket) as may:
        if not may:
            return
        hub: Hub = websocket.app.state.lobby
        try:
            await hub.stay(websocket, None)
            while True:
                hello = parse(decoder, await websocket.receive_text())
                guest = await websocket.app.state.people.find(hello.token) if hello.token else None
                await hub.stay(websocket, guest and guest.id)
        except Refusal as refusal:
            with suppress(RuntimeError, WebSocketDisconnect):
                await websocket.send_text(encode(wire.Refused(None, refusal.problem)).decode())
                await websocket.close(4400, refusal.problem.code)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            hub.leave(websocket)
