"""What sockets share: messages are sent in a task of their own, so that a slow reader holds up nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from acedrex.server import wire
from acedrex.server.play.listener import Listener
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError

#: The close code and reason of sockets whose browsers should reconnect.
AGAIN = (1012, "come back in a moment")


@asynccontextmanager
async def refusing(websocket: WebSocket) -> AsyncIterator[None]:
    """Close a socket with the reason when its visitor is refused something, or the database does not answer."""
    try:
        yield
    except Refusal as refusal:
        with suppress(RuntimeError, WebSocketDisconnect):
            await websocket.send_text(msgspec.json.encode(wire.Refused(None, refusal.problem)).decode())
            await websocket.close(4400, refusal.problem.code)
    except BusyError:
        await websocket.close(*AGAIN)
    except (WebSocketDisconnect, RuntimeError, KeyError):
        pass


@asynccontextmanager
async def sending(websocket: WebSocket, listener: Listener) -> AsyncIterator[None]:
    """Send the messages in a listener's outbox; close the socket when the listener is disconnected."""
    task = asyncio.create_task(_send(websocket, listener))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _send(websocket: WebSocket, listener: Listener) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        while (text := await listener.outbox.get()) is not None:
            await websocket.send_text(text)
        await websocket.close(*AGAIN)
