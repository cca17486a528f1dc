"""What waits for a listener is sent by a task of its own, so that nobody else waits for whoever does not read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import WebSocket, WebSocketDisconnect

from acedrex.server.listener import Listener

#: How sockets are closed whose browsers are to come back by themselves.
AGAIN = (1012, "come back in a moment")


@asynccontextmanager
async def sending(websocket: WebSocket, listener: Listener) -> AsyncIterator[None]:
    """Send what comes into a listener's outbox; close the socket when they are let go."""
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
