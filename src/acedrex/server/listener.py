"""Whoever is told of what happens over a socket or a stream, and what waits to be sent to them."""

from __future__ import annotations

import asyncio

from msgspec import Struct, field

from acedrex.server.wire import Side

#: Messages that may wait for a slow listener before it is let go.
OUTBOX = 256


class Listener(Struct, eq=False):
    """Somebody who listens: which sides of a match they play, and what waits to be sent."""

    person: str | None
    address: str = ""
    seats: frozenset[Side] = frozenset()
    lag: int = 0
    is_gone: bool = False
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(OUTBOX))

    def send(self, text: str) -> None:
        """Let a message wait. Whoever does not keep up is let go, and may come back."""
        if self.outbox.full():
            self.let_go()
        elif not self.is_gone:
            self.outbox.put_nowait(text)

    def let_go(self) -> None:
        """Send nothing more and close the socket."""
        self.is_gone = True
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)
