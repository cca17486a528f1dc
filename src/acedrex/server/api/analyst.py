"""The socket of the analysis board: the engine's lines as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress

import msgspec
import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from acedrex import Board, Error, Limit
from acedrex.server import wire
from acedrex.server.analysis import game_of
from acedrex.server.analysts import LONGEST, SearchReport
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend, visitor
from acedrex.server.api.services import services_of
from acedrex.server.budgets import Bucket
from acedrex.server.decide import Refusal
from acedrex.server.engines import EngineBusyError
from acedrex.server.metrics import REFUSED
from acedrex.server.moment import now
from acedrex.server.wire import Problem

log = structlog.get_logger()
router = APIRouter()
decoder = msgspec.json.Decoder(wire.ToAnalyst)
encode: Callable[[wire.FromAnalyst], bytes] = msgspec.json.Encoder().encode

#: Messages a second, and how many at once.
RATE, BURST = 10, 40
#: Seconds in which a browser has to take a message.
PATIENCE = 10
#: Faults after which a socket is closed.
TOO_MANY = 20


@router.websocket("/api/analysis/socket")
async def socket(websocket: WebSocket) -> None:
    """Look at positions with the engine, one at a time."""
    async with admitted(websocket) as may:
        if not may:
            return
        talk = Talk(websocket)
        try:
            await talk.go_through()
        except (WebSocketDisconnect, RuntimeError, KeyError, TimeoutError):
            pass  # gone before we were done
        finally:
            await talk.stop()


class Talk:
    """What is said over one socket."""

    def __init__(self, websocket: WebSocket) -> None:
        """Begin with nobody in particular."""
        self._websocket = websocket
        self._visitor = visitor(websocket)
        self._bucket = Bucket(RATE, BURST)
        self._looking: asyncio.Task[None] | None = None

    async def go_through(self) -> None:
        """Answer until one side leaves."""
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
                people = services_of(self._websocket).people
                guest = await people.find(message.token) if message.token else None
                self._visitor = visitor(self._websocket, None if guest is None else guest.id)
            case wire.Ping():
                await self._send(wire.Pong(message.at, now()))
            case wire.StopAnalysis():
                await self.stop()
            case wire.AnalysePosition():
                await self.stop()
                self._looking = asyncio.create_task(self._look(message))

    async def stop(self) -> None:
        """Look no further."""
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
            self._looking = None

    async def _look(self, asked: wire.AnalysePosition) -> None:
        services = services_of(self._websocket)
        last = SearchReport(0)
        try:
            spend(self._websocket, "work", 1 + len(asked.moves) / 20)
            board = Board(game_of(services.catalogue, asked.game, asked.options), asked.fen)
            for move in asked.moves:
                board.push_uci(move)
            limit = Limit(time=LONGEST)
            async with aclosing(services.analysts.look(self._visitor, board, asked.lines, limit)) as search:
                async for last in search:
                    await self._tell(asked.id, last, done=False)
            await self._tell(asked.id, last, done=True)
        except EngineBusyError:
            await self._refuse(asked.id, Problem("engine_busy", "the engine is busy; try again in a moment"))
        except Refusal as refusal:
            await self._refuse(asked.id, refusal.problem)
        except Error as error:
            await self._refuse(asked.id, Problem("invalid", str(error)))
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        except Exception as error:
            log.error("fault", exc_info=error)
            await self._refuse(asked.id, Problem("fault", "something went wrong on the server; it has been logged"))

    async def _tell(self, id: str, told: SearchReport, *, done: bool) -> None:
        await self._send(wire.Lines(id, told.depth, told.nodes, told.nps, told.lines, done))

    async def _refuse(self, id: str | None, problem: Problem) -> None:
        REFUSED.labels(problem.code).inc()
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await self._send(wire.Refused(id, problem))

    async def _send(self, what: wire.FromAnalyst) -> None:
        # Not wait_for, which may lose that it was cancelled.
        async with asyncio.timeout(PATIENCE):
            await self._websocket.send_text(encode(what).decode())
