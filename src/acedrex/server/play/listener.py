"""The recipient of messages over a socket or a stream, with an outbox."""

from __future__ import annotations

import asyncio

from msgspec import Struct, field

from acedrex.server.wire import Side

#: Messages that may wait for a slow listener before it is disconnected.
OUTBOX = 256


class Listener(Struct, eq=False):
    """A connection that receives messages: the sides that its person plays, its lag, and its outbox."""

    person: str | None
    address: str = ""
    seats: frozenset[Side] = frozenset()
    #: Those whose chat messages it does not get.
    blocked: frozenset[str] = frozenset()
    lag: int = 0
    is_gone: bool = False
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(OUTBOX))

    def send(self, text: str) -> None:
        """Queue a message. A listener that does not keep up is disconnected, and may reconnect."""
        if self.outbox.full():
            self.disconnect()
        elif not self.is_gone:
            self.outbox.put_nowait(text)

    def disconnect(self) -> None:
        """Drop the waiting messages and close the connection."""
        self.is_gone = True
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)
