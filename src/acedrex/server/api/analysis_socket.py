"""The socket of the analysis board: the engine's lines as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from functools import partial

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex import Limit
from acedrex.server import wire
from acedrex.server.analysis.pool import LONGEST, SearchReport
from acedrex.server.api import offload
from acedrex.server.api.bodies import parse
from acedrex.server.api.games import chosen_game
from acedrex.server.api.limits import admitted, visitor
from acedrex.server.api.problems import problem_of
from acedrex.server.api.sending import AGAIN
from acedrex.server.limits.budgets import Bucket
from acedrex.server.match import positions
from acedrex.server.metrics import REFUSED
from acedrex.server.refusal import Refusal
from acedrex.server.services import services_of
from acedrex.server.storage.store import BusyError
from acedrex.server.time_source import now
from acedrex.server.wire import Problem

router = APIRouter()
decoder = msgspec.json.Decoder(wire.ToAnalyst)
encode: Callable[[wire.FromAnalyst], bytes] = msgspec.json.Encoder().encode

#: Messages per second, and messages at once.
RATE, BURST = 10, 40
#: Seconds that a browser has to receive a message.
SEND_TIMEOUT_S = 10
#: Faults after which a socket is closed.
TOO_MANY = 20


@router.websocket("/api/analysis/socket")
async def socket(websocket: WebSocket) -> None:
    """Analyse positions with the engine, one at a time."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        session = Session(websocket)
        try:
            await session.run()
        except BusyError:
            with suppress(RuntimeError):
                await websocket.close(*AGAIN)
        except (WebSocketDisconnect, RuntimeError, KeyError, TimeoutError):
            pass  # the browser has left
        finally:
            await session.stop()


class Session:
    """The conversation over one socket."""

    def __init__(self, websocket: WebSocket) -> None:
        """Start with a visitor who is not identified."""
        self._websocket = websocket
        self._visitor = visitor(websocket)
        self._bucket = Bucket(RATE, BURST)
        self._search: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Answer messages until one side leaves."""
        faults = 0
        while faults < TOO_MANY:
            text = await self._websocket.receive_text()
            try:
                if not self._bucket.take():
                    raise Refusal("too_fast", "too many messages; slow down")
                await self._do(parse(decoder, text))
            except Refusal as refusal:
                faults += 1
                await self._refuse(None, refusal.problem)
        await self._websocket.close(4400, "too many faults")

    async def _do(self, message: wire.ToAnalyst) -> None:
        match message:
            case wire.Hello():
                sessions = services_of(self._websocket).sessions
                session = await sessions.find(message.token) if message.token else None
                self._visitor = visitor(self._websocket, None if session is None else session.person.id)
            case wire.Ping():
                await self._send(wire.Pong(message.at, now()))
            case wire.StopAnalysis():
                await self.stop()
            case wire.AnalysePosition():
                await self.stop()
                self._search = asyncio.create_task(self._analyse(message))

    async def stop(self) -> None:
        """Stop the current analysis."""
        if self._search is not None:
            self._search.cancel()
            with suppress(asyncio.CancelledError):
                await self._search
            self._search = None

    async def _analyse(self, request: wire.AnalysePosition) -> None:
        services = services_of(self._websocket)
        report = SearchReport(0)
        try:
            game = await chosen_game(services, request.game, request.options)
            job = partial(positions.played, game, request.fen, request.moves)
            board = await offload.run(self._websocket, game, len(request.moves), job)
            limit = Limit(time=LONGEST)
            async with aclosing(services.analysts.analyse(self._visitor, board, request.lines, limit)) as search:
                async for report in search:
                    await self._send_lines(request.id, report, done=False)
            await self._send_lines(request.id, report, done=True)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        except Exception as error:
            await self._refuse(request.id, problem_of(error))

    async def _send_lines(self, id: str, report: SearchReport, *, done: bool) -> None:
        await self._send(wire.Lines(id, report.depth, report.nodes, report.nps, report.lines, done))

    async def _refuse(self, id: str | None, problem: Problem) -> None:
        REFUSED.labels(problem.code).inc()
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await self._send(wire.Refused(id, problem))

    async def _send(self, message: wire.FromAnalyst) -> None:
        # Not wait_for, which may swallow a cancellation.
        async with asyncio.timeout(SEND_TIMEOUT_S):
            await self._websocket.send_text(encode(message).decode())
