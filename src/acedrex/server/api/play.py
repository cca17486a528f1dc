"""The socket of a match."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import Bucket, admitted
from acedrex.server.api.people import cleaned
from acedrex.server.clock import MOST_LAG
from acedrex.server.decide import Refusal
from acedrex.server.listener import Listener
from acedrex.server.metrics import REFUSED, SOCKETS
from acedrex.server.room import Room
from acedrex.server.store import BusyError
from acedrex.server.views import encode
from acedrex.server.wire import Problem

log = structlog.get_logger()
router = APIRouter()
decoder = msgspec.json.Decoder(wire.ToServer)

#: Seconds that the first message may take.
PATIENCE = 10
#: Messages a second, and how many at once; lines of chat of one person likewise.
RATE, BURST = 10, 40
CHAT_RATE, CHAT_BURST = 0.5, 5
#: Codes of sockets that are closed before they have begun; any other fault is 4400.
CLOSING = {"unknown_guest": 4401, "no_such_match": 4404}
#: How sockets are closed whose browsers are to come back by themselves.
AGAIN = (1012, "come back in a moment")
#: Messages that may be refused for coming too fast until the socket is closed.
TOO_MANY = 200


@router.websocket("/api/matches/{id}/socket")
async def socket(websocket: WebSocket, id: str) -> None:
    """Play or watch a match."""
    async with admitted(websocket) as may:
        if not may:
            return
        SOCKETS.inc()
        try:
            await Talk(websocket).go_through(id)
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone before we were done
        finally:
            SOCKETS.dec()


class Talk:
    """What is said over one socket."""

    def __init__(self, websocket: WebSocket) -> None:
        """Begin before the first message."""
        self.websocket = websocket
        self.name = ""
        self.bucket = Bucket(RATE, BURST)
        self.hurried = 0

    async def go_through(self, id: str) -> None:
        """Talk until one side leaves."""
        try:
            hello = parse(decoder, await asyncio.wait_for(self._receive(), PATIENCE))
            if not isinstance(hello, wire.Hello):
                raise Refusal("no_hello", "the first message is hello")
            guest = None
            if hello.token is not None:
                guest = await self.websocket.app.state.people.find(hello.token)
                if guest is None:
                    raise Refusal("unknown_guest", "nobody has this token; POST /api/guests gives one", "token")
                self.name = guest.name
            room = await self.websocket.app.state.rooms.get(id)
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
        listener = Listener(guest and guest.id)
        try:
            await room.join(listener)
        except BusyError:
            room.leave(listener)
            await self.websocket.close(*AGAIN)
            return
        sending = asyncio.create_task(self._send(listener))
        try:
            while True:
                await self._answer(room, listener, await self._receive())
        finally:
            room.leave(listener)
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def _receive(self) -> str | bytes:
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        return message.get("text") or message.get("bytes") or b""

    async def _send(self, listener: Listener) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            while (text := await listener.outbox.get()) is not None:
                await self.websocket.send_text(text)
            await self.websocket.close(*AGAIN)

    async def _answer(self, room: Room, listener: Listener, text: str | bytes) -> None:
        id = None
        try:
            if not self.bucket.take():
                self.hurried += 1
                if self.hurried > TOO_MANY:
                    await self.websocket.close(4429, "too many messages")
                    raise WebSocketDisconnect(4429)
                raise Refusal("too_fast", "too many messages; slow down")
            message = parse(decoder, text)
            id = getattr(message, "id", None)
            number = await self._do(room, listener, message)
            if number is not None:
                listener.send(encode(wire.Ack(str(id), number)).decode())
        except Refusal as refusal:
            self._refuse(listener, id, refusal.problem)
        except BusyError:
            self._refuse(listener, id, Problem("busy", "the database cannot follow; try again in a moment"))
        except WebSocketDisconnect:
            raise
        except Exception as error:
            log.error("fault", match=room.match.id, exc_info=error)
            self._refuse(listener, id, Problem("fault", "a fault of the server; it has been written down"))

    def _refuse(self, listener: Listener, id: str | None, problem: Problem) -> None:
        REFUSED.labels(problem.code).inc()
        listener.send(encode(wire.Refused(id, problem)).decode())

    async def _do(self, room: Room, listener: Listener, message: wire.ToServer) -> int | None:
        match message:
            case wire.Ping():
                listener.lag = min(int(message.rtt or 0), MOST_LAG)
                listener.send(encode(wire.Pong(message.at, room.now())).decode())
            case wire.Hint():
                await room.hint(listener, message.id)
            case wire.Chat():
                if listener.person is None:
                    raise Refusal("no_seat", "a guest may write; you are not one yet")
                if not self.websocket.app.state.chatters.take(listener.person):
                    raise Refusal("too_fast", "wait a little before you write again")
                await room.say(listener, self.name, cleaned(message.text))
                return room.match.number
            case wire.Hello():
                raise Refusal("hello_again", "hello is said once")
            case _:
                return await room.command(message, listener.seats, listener.lag)
        return None
