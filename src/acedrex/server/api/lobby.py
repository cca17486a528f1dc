"""The socket of the lobby, which sends the open challenges whenever they change."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, WebSocket

from acedrex.server import wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend, visitor
from acedrex.server.api.sending import refusing, sending
from acedrex.server.play.listener import Listener
from acedrex.server.services import services_of

router = APIRouter()
decoder = msgspec.json.Decoder(wire.Hello)


@router.websocket("/api/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """Watch the lobby. A hello with a token is answered with a list that marks one's own challenges."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        services = services_of(websocket)
        listener = Listener(None, visitor(websocket).address)
        try:
            async with refusing(websocket), sending(websocket, listener):
                await services.lobby.join(listener)
                while True:
                    hello = parse(decoder, await websocket.receive_text())
                    spend(websocket, "work")
                    session = await services.sessions.find(hello.token) if hello.token else None
                    listener.person = None if session is None else session.person.id
                    await services.lobby.join(listener)
        finally:
            services.lobby.leave(listener)
