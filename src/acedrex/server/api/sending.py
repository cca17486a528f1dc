"""Sends a listener's messages in a task of its own, so that a slow reader holds up nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import WebSocket, WebSocketDisconnect

from acedrex.server.play.listener import Listener

#: The close code and reason of sockets whose browsers should reconnect.
AGAIN = (1012, "come back in a moment")


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
