"""The socket of a study: its changes as they are made, and the commands of those who write in it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.analysis import trees
from acedrex.server.api import offload
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend, visitor
from acedrex.server.api.problems import problem_of
from acedrex.server.api.sending import AGAIN, sending
from acedrex.server.api.subjects import game_of
from acedrex.server.metrics import REFUSED
from acedrex.server.people.names import clean_text
from acedrex.server.play.listener import Listener
from acedrex.server.refusal import Refusal
from acedrex.server.services import services_of
from acedrex.server.storage.store import BusyError
from acedrex.server.studies import decide
from acedrex.server.studies.room import Study, encode
from acedrex.server.time_source import now

router = APIRouter()
decoder = msgspec.json.Decoder(wire.ToStudy)
_made = msgspec.json.Decoder(wire.MovesMade).decode

#: Seconds that the first message may take.
HELLO_TIMEOUT_S = 10
#: Close codes of sockets that are refused at the start; that of any other fault is 4400.
CLOSING = {"unknown_guest": 4401, "no_such_study": 4404, "too_fast": 4429}
#: The number of messages refused as too fast after which the socket is closed.
TOO_MANY = 200


@router.websocket("/api/studies/{id}/socket")
async def socket(websocket: WebSocket, id: str) -> None:
    """Read or write a study."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        # The browser may leave at any time.
        with suppress(WebSocketDisconnect, RuntimeError):
            await Session(websocket).run(id)


class Session:
    """The conversation over one socket."""

    def __init__(self, websocket: WebSocket) -> None:
        """Start before the first message."""
        self.websocket = websocket
        self.services = services_of(websocket)
        self.person: str | None = None
        self.too_fast_count = 0

    async def run(self, id: str) -> None:
        """Answer messages until one side leaves."""
        try:
            hello = parse(decoder, await asyncio.wait_for(self._receive(), HELLO_TIMEOUT_S))
            if not isinstance(hello, wire.Hello):
                raise Refusal("no_hello", "the first message must be hello")
            if hello.token is not None:
                session = await self.services.sessions.find(hello.token)
                if session is None:
                    raise Refusal("unknown_guest", "unknown token; POST /api/guests creates one", "token")
                self.person = session.person.id
            spend(self.websocket, "work", 2)
            study = await self.services.studies.get(id[:32])
            listener = Listener(self.person, visitor(self.websocket).address)
            await study.join(listener)
            if hello.token is not None and await self.services.sessions.find(hello.token) is None:
                listener.disconnect()  # The session ended before the study knew who this is.
        except TimeoutError:
            await self.websocket.close(4408, "no hello")
            return
        except Refusal as refusal:
            await self.websocket.send_text(encode(wire.Refused(None, refusal.problem)))
            await self.websocket.close(CLOSING.get(refusal.problem.code, 4400), refusal.problem.code)
            return
        except BusyError:
            await self.websocket.close(*AGAIN)
            return
        try:
            async with sending(self.websocket, listener):
                while True:
                    await self._answer(study, listener, await self._receive())
        finally:
            study.leave(listener)

    async def _receive(self) -> str | bytes:
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        return message.get("text") or message.get("bytes") or b""

    async def _answer(self, study: Study, listener: Listener, text: str | bytes) -> None:
        id = None
        try:
            message = parse(decoder, text)
            id = getattr(message, "id", None)
            if not self.services.budgets.take(visitor(self.websocket, self.person), "edits"):
                self.too_fast_count += 1
                if self.too_fast_count > TOO_MANY:
                    await self.websocket.close(4429, "too many messages")
                    raise WebSocketDisconnect(4429)
                raise Refusal("too_fast", "too many edits at once; wait a moment")
            await self._do(study, listener, message)
        except WebSocketDisconnect:
            raise
        except Exception as error:
            problem = problem_of(error, study=study.id)
            REFUSED.labels(problem.code).inc()
            listener.send(encode(wire.Refused(id, problem)))

    async def _do(self, study: Study, listener: Listener, message: wire.ToStudy) -> None:
        match message:
            case wire.Ping():
                listener.send(encode(wire.Pong(message.at, now())))
            case wire.Hello():
                raise Refusal("hello_again", "hello can be sent only once")
            case wire.OpenChapter():
                study.check_reads(self.person)
                chapter = study.chapter(self.person, message.chapter)
                spend(self.websocket, "work", 1 + len(chapter.nodes) / 150)
                listener.send(encode(wire.ChapterSent(chapter, study.contents.number)))
            case wire.AddMoves():
                await study.check_writes(self.person)
                number = await study.command(self.person, message, await self._made(study, message))
                listener.send(encode(wire.Ack(message.id, number)))
            case _:
                if isinstance(message, wire.EditChapter) and message.title is not None:
                    message.title = clean_text(message.title)
                number = await study.command(self.person, message)
                listener.send(encode(wire.Ack(message.id, number)))

    async def _made(self, study: Study, message: wire.AddMoves) -> list[wire.NodeMade]:
        """Make moves; the position of a move never changes, so nobody has to wait for it.

        :raises Refusal: if there is no such chapter or move.
        :raises Error: if one is not legal.
        """
        chapter = decide.chapter(study.contents, message.chapter)
        fen = decide.node_of(chapter, message.parent).told.fen
        game = await game_of(self.services, chapter)
        job = partial(trees.make_moves, game, fen, message.moves)
        return _made(msgspec.json.encode(await offload.run(self.websocket, game, len(message.moves), job))).nodes
