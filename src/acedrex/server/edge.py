"""The edge of the server: how many connections there may be, how long they may take, and how much they may hold.

Uvicorn speaks HTTP and WebSockets; what stands here bounds what strangers can make it keep and wait for.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import msgspec
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from acedrex.server.budgets import Bucket, Budgets
from acedrex.server.metrics import REFUSED
from acedrex.server.visitor import Visitor, address_of
from acedrex.server.wire import Problem

if TYPE_CHECKING:
    from websockets.frames import Frame

if sys.platform != "win32":
    import resource

#: Most bytes of a request's line and headers, most headers, and most requests sent before the first is answered.
MOST_HEAD, MOST_HEADERS, MOST_AHEAD = 64 * 1024, 100, 16
#: Seconds in which a request's line and headers have to come, from the connection or from their first byte on.
HEAD = 10
#: Seconds in which a whole request has to come, and one more for so many bytes of it.
REQUEST, RATE = 20, 1_000
#: Seconds after which whoever reads nothing of what was sent to them is let go.
UNREAD = 30
#: Bytes of a connection that the system keeps besides those that are on their way.
UNSENT = 128 * 1024
#: Seconds between two looks at a connection.
LOOK = 2.0
#: Connections of one address, and in all where the limit of open files allows so many; files are left for all else.
MOST_OF_ADDRESS, MOST_CONNECTIONS, OTHER_FILES = 300, 65_536, 128
#: Frames a second over a WebSocket, and how many at once; pieces of one message; bytes that are parsed at a time.
FRAMES, MOST_FRAMES, MOST_PIECES, PARSED = 50, 100, 64, 4 * 1024
#: In the extensions of a WebSocket's scope: what tells the application the seconds that the last ping took; what the
#: application wants called when too much came.
ROUND_TRIP, FLOODED = "acedrex.round_trip", "acedrex.flooded"

NO_HTTP = Problem("invalid", "this is not an HTTP request")
LARGE_HEAD = Problem(
    "too_large", f"a request can have at most {MOST_HEAD} bytes before its body, and {MOST_HEADERS} headers"
)
TOO_FAST = Problem("too_fast", f"a connection can have at most {MOST_AHEAD} requests waiting")


def open_many_files() -> None:
    """Let this process, and those that it starts, have as many files and connections open as the system allows."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        # There are systems that name no limit and have one.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def keep_little_unsent(listening: socket.socket) -> None:
    """Let the system keep little for those who read nothing: else it takes megabytes before we notice."""
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # Linux and macOS have it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)


def most_connections() -> int:
    """Give how many connections there may be, so that files can still be opened."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, soft - OTHER_FILES)


class ConnectionLimits:
    """Who is in: the open connections of this process, and how many of each address."""

    def __init__(self) -> None:
        """Begin without any."""
        self._inside: dict[asyncio.BaseTransport, str | None] = {}
        self._addresses: Counter[str | None] = Counter()
        self._budgets = Budgets()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._inside)

    def enter(self, transport: asyncio.BaseTransport, address: str | None) -> bool:
        """Count a connection and tell whether there is room for it; None is the address of a proxy, which has many."""
        if transport in self._inside:  # it was HTTP and is a WebSocket now
            return True
        crowd = 0 if address is None else self._addresses[address]
        if address is not None and not self._budgets.take(Visitor(address), "connections"):
            return False
        if crowd >= MOST_OF_ADDRESS or len(self) >= most_connections():
            return False
        self._inside[transport] = address
        self._addresses[address] += 1
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Count a connection no more."""
        if transport in self._inside:
            address = self._inside.pop(transport)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


door = ConnectionLimits()


class WatchedConnection(asyncio.Protocol):
    """A connection that is counted, and looked at every few seconds."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    app: Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, if there is room."""
        super().connection_made(transport)
        self._unread, self._read = 0, self.loop.time()
        self._looking = self.loop.call_later(LOOK, self._look)
        host = self.client[0] if self.client else None
        # Whom uvicorn trusts to name others is a proxy: everybody comes through it.
        if not door.enter(transport, None if host in self.app.trusted_hosts else address_of(host)):
            self.end("too_many_connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._looking.cancel()
        door.leave(self.transport)
        super().connection_lost(exc)

    def end(self, why: str) -> None:
        """End the connection at once, whatever still waits to be sent."""
        REFUSED.labels(why).inc()
        self.transport.abort()

    def is_late(self, moment: float) -> bool:
        """Tell whether something had to come by now."""
        return False

    def _look(self) -> None:
        moment = self.loop.time()
        unread = self.transport.get_write_buffer_size()
        if not unread or unread != self._unread:
            self._unread, self._read = unread, moment
        if moment - self._read > UNREAD:
            self.end("unread")
        elif self.is_late(moment):
            self.end("too_slow")
        else:
            self._looking = self.loop.call_later(LOOK, self._look)


class TimedConnection(WatchedConnection):
    """A connection over HTTP, whose requests have to come in time."""

    flow: FlowControl
    #: The request that came last, and the one that is being answered, where several may wait.
    cycle: Any
    answered: Any = None
    timeout_keep_alive_task: asyncio.TimerHandle | None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        self._began, self._received = self.loop.time(), 0
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Take in some bytes."""
        if self.timeout_keep_alive_task is not None:  # the first of the next request
            self._began, self._received = self.loop.time(), 0
        self._received += len(data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.forget()
        super().connection_lost(exc)

    def end(self, why: str) -> None:
        """End the connection at once."""
        self.forget()
        super().end(why)

    def forget(self) -> None:
        """Let whoever answers know that nobody hears it, before they write to what is closed."""
        for cycle in (self.cycle, self.answered):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()

    def is_late(self, moment: float) -> bool:
        """Tell whether the request had to be here by now."""
        if self.timeout_keep_alive_task is not None or self.transport.is_closing():
            return False
        if self.flow.read_paused:  # it is we who do not read
            self._began, self._received = moment, 0
            return False
        took = moment - self._began
        if self.cycle is None or self.cycle.response_complete:
            # Also where the rest of a body still comes that nobody wanted.
            return took > HEAD
        return bool(self.cycle.more_body) and took > REQUEST + self._received / RATE

    def handle_websocket_upgrade(self, *request: Any) -> None:
        """Hand the connection on to :class:`WebSocket`."""
        self._looking.cancel()
        super().handle_websocket_upgrade(*request)  # type: ignore[misc]


try:
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
except ImportError:  # as on Windows
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Http(TimedConnection, H11Protocol):
        """A connection over HTTP; h11 itself bounds what it keeps, by ``h11_max_incomplete_event_size``."""
else:

    class Http(TimedConnection, HttpToolsProtocol):  # type: ignore[no-redef]
        """A connection over HTTP that keeps little of a request that is not whole."""

        #: Bytes that may be kept by the parser or by us: those since the last of a body.
        _kept = 0
        _refusal = (400, NO_HTTP)

        def data_received(self, data: bytes) -> None:
            """Take in some bytes, never more than may be kept."""
            while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
                room = MOST_HEAD - self._kept
                piece, data = data[:room], data[room:]
                self._kept += len(piece)
                super().data_received(piece)
                if self._kept >= MOST_HEAD and not self.transport.is_closing():
                    self._refusal = (431, LARGE_HEAD)
                    self.send_400_response()

        def on_header(self, name: bytes, value: bytes) -> None:
            """Keep a header, or a trailer."""
            if len(self.headers) >= MOST_HEADERS:
                self._refuse(431, LARGE_HEAD)
            super().on_header(name, value)

        def on_headers_complete(self) -> None:
            """Begin to answer, or let the request wait for its turn."""
            if len(self.pipeline) >= MOST_AHEAD:
                self._refuse(429, TOO_FAST)
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """Take in some of a body."""
            self._kept = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """End a request."""
            self._kept = 0
            super().on_message_complete()

        def _start_asgi_task(self, cycle: Any, app: Any) -> None:
            self.answered = cycle
            super()._start_asgi_task(cycle, app)

        def _refuse(self, status: int, problem: Problem) -> None:
            """Stop the parser, upon which uvicorn calls :meth:`send_400_response`."""
            self._refusal = (status, problem)
            raise ValueError(problem.message)

        def send_400_response(self, msg: str = "") -> None:
            """Refuse what is no request, or too large for one."""
            self.forget()
            status, problem = self._refusal
            REFUSED.labels(problem.code).inc()
            body = msgspec.json.encode(problem)
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[status] + head + body)
            self.transport.close()


class WebSocket(WatchedConnection, WebSocketsSansIOProtocol):
    """A WebSocket over which frames come no faster than somebody can mean, and whose way is measured."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Begin without any frames."""
        super().__init__(*given, **named)
        self._frames = Bucket(FRAMES, MOST_FRAMES)

    def data_received(self, data: bytes) -> None:
        """Take in some bytes, a few at a time, so that what comes too fast is noticed before all of it is read."""
        for first in range(0, len(data), PARSED):
            if not self.transport.is_closing():
                super().data_received(data[first : first + PARSED])
                if self.conn.handshake_exc is not None and not self.transport.is_closing():
                    # Uvicorn would neither say so nor close.
                    self.transport.write(b"".join(self.conn.data_to_send()))
                    self.transport.close()

    def handle_events(self) -> None:
        """Take in frames, if they do not come too fast: pings and pieces of messages count too."""
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._fail("too many messages")

    def handle_cont(self, event: Frame) -> None:
        """Take in a piece of a message."""
        if len(self.frames) < MOST_PIECES:
            super().handle_cont(event)
        else:
            self._fail("a message in too many pieces")

    def _fail(self, why: str) -> None:
        REFUSED.labels("too_fast").inc()
        self._extensions.get(FLOODED, lambda: None)()
        self.conn.fail(4429, why)
        self.handle_parser_exception()

    def start_keepalive(self) -> None:
        """Send the first ping at once, so that the way is measured from the beginning."""
        self.send_keepalive_ping()

    async def run_asgi(self) -> None:
        """Let the application talk, and ask how long the way is."""

        def measured() -> float:
            return self.last_ping_rtt

        self._extensions[ROUND_TRIP] = measured
        await super().run_asgi()

    @property
    def _extensions(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.scope["extensions"])
