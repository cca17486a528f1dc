"""The socket of a match."""

from __future__ import annotations

import asyncio

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend, spend_on_match, visitor
from acedrex.server.api.problems import problem_of
from acedrex.server.api.sending import AGAIN, sending
from acedrex.server.limits.edge import ROUND_TRIP
from acedrex.server.match.state import MAX_LAG
from acedrex.server.match.views import encode
from acedrex.server.metrics import REFUSED, SOCKETS
from acedrex.server.people.names import clean_text
from acedrex.server.play.listener import Listener
from acedrex.server.play.room import Room
from acedrex.server.refusal import Refusal
from acedrex.server.services import services_of
from acedrex.server.storage.store import BusyError
from acedrex.server.wire import Problem

router = APIRouter()
decoder = msgspec.json.Decoder(wire.ToServer)

#: Seconds that the first message may take.
HELLO_TIMEOUT_S = 10
#: Close codes of sockets that are refused at the start; that of any other fault is 4400.
CLOSING = {"unknown_guest": 4401, "no_such_match": 4404, "too_fast": 4429}
#: The number of messages refused as too fast after which the socket is closed.
TOO_MANY = 200


@router.websocket("/api/matches/{id}/socket")
async def socket(websocket: WebSocket, id: str) -> None:
    """Play or watch a match."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        SOCKETS.inc()
        try:
            await Session(websocket).run(id)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the browser has left
        finally:
            SOCKETS.dec()


class Session:
    """The conversation over one socket."""

    def __init__(self, websocket: WebSocket) -> None:
        """Start before the first message."""
        self.websocket = websocket
        self.services = services_of(websocket)
        self.name = ""
        self.too_fast_count = 0
        self.visitor = visitor(websocket)
        self.hinting: asyncio.Task[None] | None = None

    async def run(self, id: str) -> None:
        """Answer messages until one side leaves."""
        try:
            hello = parse(decoder, await asyncio.wait_for(self._receive(), HELLO_TIMEOUT_S))
            if not isinstance(hello, wire.Hello):
                raise Refusal("no_hello", "the first message must be hello")
            person = None
            if hello.token is not None:
                session = await self.services.sessions.find(hello.token)
                if session is None:
                    raise Refusal("unknown_guest", "unknown token; POST /api/guests creates one", "token")
                person = session.person
                self.name = person.name
                self.visitor = visitor(self.websocket, person.id)
            room = await self.services.rooms.get(id)
            spend_on_match(self.websocket, len(room.match.moves))
        except TimeoutError:
            await self.websocket.close(4408, "no hello")
            return
        except Refusal as refusal:
            await self.websocket.send_text(encode(wire.Refused(None, refusal.problem)).decode())
            await self.websocket.close(CLOSING.get(refusal.problem.code, 4400), refusal.problem.code)
            return
        except BusyError:
            await self.websocket.close(*AGAIN)
            return
        listener = Listener(None if person is None else person.id, self.visitor.address, lag=self._lag())
        try:
            await room.join(listener)
            if hello.token is not None and await self.services.sessions.find(hello.token) is None:
                listener.disconnect()  # The session ended before the room knew who this is.
            async with sending(self.websocket, listener):
                while True:
                    await self._answer(room, listener, await self._receive())
        except BusyError:
            await self.websocket.close(*AGAIN)
        finally:
            room.leave(listener)
            if self.hinting is not None:
                self.hinting.cancel()

    def _lag(self) -> int:
        """Return the measured round trip in milliseconds. Clients are not asked, since they would gain by lying."""
        return min(int(self.websocket.scope["extensions"][ROUND_TRIP]() * 1000), MAX_LAG)

    async def _receive(self) -> str | bytes:
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        return message.get("text") or message.get("bytes") or b""

    async def _answer(self, room: Room, listener: Listener, text: str | bytes) -> None:
        id = None
        listener.lag = self._lag()
        try:
            if not self.services.budgets.take(self.visitor, "messages"):
                self.too_fast_count += 1
                if self.too_fast_count > TOO_MANY:
                    await self.websocket.close(4429, "too many messages")
                    raise WebSocketDisconnect(4429)
                raise Refusal("too_fast", "too many messages; slow down")
            message = parse(decoder, text)
            id = getattr(message, "id", None)
            number = await self._do(room, listener, message)
            if number is not None:
                listener.send(encode(wire.Ack(str(id), number)).decode())
        except WebSocketDisconnect:
            raise
        except Exception as error:
            self._refuse(listener, id, problem_of(error, match=room.match.id))

    async def _hint(self, room: Room, listener: Listener, id: str) -> None:
        try:
            await room.hint(listener, id)
        except Exception as error:
            self._refuse(listener, id, problem_of(error, match=room.match.id))

    def _refuse(self, listener: Listener, id: str | None, problem: Problem) -> None:
        REFUSED.labels(problem.code).inc()
        listener.send(encode(wire.Refused(id, problem)).decode())

    async def _do(self, room: Room, listener: Listener, message: wire.ToServer) -> int | None:
        match message:
            case wire.Ping():
                listener.send(encode(wire.Pong(message.at, room.now())).decode())
            case wire.Hint():
                if self.hinting is not None and not self.hinting.done():
                    raise Refusal("engine_busy", "a hint is already being computed")
                # In a task, so that the player can move on while waiting for it.
                self.hinting = asyncio.create_task(self._hint(room, listener, message.id))
            case wire.Chat():
                if listener.person is None:
                    raise Refusal("no_seat", "chat needs a token: POST /api/guests creates one")
                spend(self.websocket, "chat", person=listener.person)
                await room.say(listener, self.name, clean_text(message.text))
                return room.match.number
            case wire.Hello():
                raise Refusal("hello_again", "hello can be sent only once")
            case _:
                return await room.command(message, listener.seats, listener.lag)
        return None
