"""The edge of the server: limits on connections, on their time and on their memory.

Uvicorn implements HTTP and WebSockets; this module limits what strangers can make it hold and wait for.
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

from acedrex.server.limits.budgets import Bucket, Budgets
from acedrex.server.limits.visitor import Visitor, address_of
from acedrex.server.metrics import REFUSED
from acedrex.server.wire import Problem

if TYPE_CHECKING:
    from websockets.frames import Frame

if sys.platform != "win32":
    import resource

#: The maximum number of bytes of a request's line and headers, of headers, and of pipelined requests.
MAX_HEAD, MAX_HEADERS, MAX_AHEAD = 64 * 1024, 100, 16
#: Seconds within which a request's line and headers must arrive, counted from the connection or their first byte.
HEADER_TIMEOUT_S = 10
#: Seconds within which a whole request must arrive, plus one second for every ``RATE`` bytes of it.
REQUEST_TIMEOUT_S, RATE = 20, 1_000
#: Seconds after which a client that reads nothing is disconnected.
UNREAD_TIMEOUT_S = 30
#: Unsent bytes that the system buffers for a connection.
UNSENT = 128 * 1024
#: Seconds between two checks of a connection.
CHECK = 2.0
#: Connections per address, connections in all if the limit of open files allows them, and files left for other uses.
MAX_OF_ADDRESS, MAX_CONNECTIONS, OTHER_FILES = 300, 65_536, 128
#: Frames per second over a WebSocket, and frames at once; fragments of one message; bytes that are parsed at a time.
FRAMES, MAX_FRAMES, MAX_FRAGMENTS, PARSED = 50, 100, 64, 4 * 1024
#: In the extensions of a WebSocket's scope: a function that returns the round-trip time of the last ping in seconds,
#: and a function of the application that is called when a client sends too much.
ROUND_TRIP, FLOODED = "acedrex.round_trip", "acedrex.flooded"

NO_HTTP = Problem("invalid", "this is not an HTTP request")
LARGE_HEAD = Problem(
    "too_large", f"a request can have at most {MAX_HEAD} bytes before its body, and {MAX_HEADERS} headers"
)
TOO_FAST = Problem("too_fast", f"a connection can have at most {MAX_AHEAD} requests waiting")


def raise_file_limit() -> None:
    """Raise the limit of open files and connections to the system's maximum, for child processes too."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        # Some systems report no limit but have one.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def limit_unsent(server_socket: socket.socket) -> None:
    """Make the system buffer little for clients that read nothing; by default it takes megabytes before we notice."""
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # on Linux and macOS
        server_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)


def max_connections() -> int:
    """Return the maximum number of connections, which leaves room for other open files."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, soft - OTHER_FILES)


class ConnectionLimits:
    """The open connections of this process, and their number per address."""

    def __init__(self) -> None:
        """Start without connections."""
        self._open: dict[asyncio.BaseTransport, str | None] = {}
        self._addresses: Counter[str | None] = Counter()
        self.budgets = Budgets()
        self.max_of_address = MAX_OF_ADDRESS

    def __len__(self) -> int:
        """The number of open connections."""
        return len(self._open)

    def enter(self, transport: asyncio.BaseTransport, address: str | None) -> bool:
        """Count a connection, and return whether it is within the limits; None, a proxy's address, has no limit."""
        if transport in self._open:  # an HTTP connection that became a WebSocket
            return True
        count = 0 if address is None else self._addresses[address]
        if address is not None and not self.budgets.take(Visitor(address), "connections"):
            return False
        if count >= self.max_of_address or len(self) >= max_connections():
            return False
        self._open[transport] = address
        self._addresses[address] += 1
        return True

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Stop counting a connection."""
        if transport in self._open:
            address = self._open.pop(transport)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


connection_limits = ConnectionLimits()


class WatchedConnection(asyncio.Protocol):
    """A connection that is counted, and checked every few seconds."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    app: Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection if it is within the limits."""
        super().connection_made(transport)
        self._unread, self._read = 0, self.loop.time()
        self._checking = self.loop.call_later(CHECK, self._check)
        host = self.client[0] if self.client else None
        # A host that uvicorn trusts to name the client is a proxy, which carries the connections of all clients.
        if not connection_limits.enter(transport, None if host in self.app.trusted_hosts else address_of(host)):
            self.end("too_many_connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting and checking the connection."""
        self._checking.cancel()
        connection_limits.leave(self.transport)
        super().connection_lost(exc)

    def end(self, reason: str) -> None:
        """Close the connection at once, dropping what is unsent."""
        REFUSED.labels(reason).inc()
        self.transport.abort()

    def is_late(self, moment: float) -> bool:
        """Return whether the client is late with what it must send."""
        return False

    def _check(self) -> None:
        moment = self.loop.time()
        unread = self.transport.get_write_buffer_size()
        if not unread or unread != self._unread:
            self._unread, self._read = unread, moment
        if moment - self._read > UNREAD_TIMEOUT_S:
            self.end("unread")
        elif self.is_late(moment):
            self.end("too_slow")
        else:
            self._checking = self.loop.call_later(CHECK, self._check)


class TimedConnection(WatchedConnection):
    """A connection over HTTP, whose requests must arrive in time."""

    flow: FlowControl
    #: The latest request, and the one that is being answered, which differ if requests are pipelined.
    cycle: Any
    answered: Any = None
    timeout_keep_alive_task: asyncio.TimerHandle | None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the first request."""
        self._began, self._received = self.loop.time(), 0
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Receive bytes."""
        if self.timeout_keep_alive_task is not None:  # the first bytes of the next request
            self._began, self._received = self.loop.time(), 0
        self._received += len(data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the handlers that the client has gone."""
        self.mark_disconnected()
        super().connection_lost(exc)

    def end(self, reason: str) -> None:
        """Close the connection at once."""
        self.mark_disconnected()
        super().end(reason)

    def mark_disconnected(self) -> None:
        """Tell the handlers that the client has gone, before they write to a closed connection."""
        for cycle in (self.cycle, self.answered):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()

    def is_late(self, moment: float) -> bool:
        """Return whether the current request is overdue."""
        if self.timeout_keep_alive_task is not None or self.transport.is_closing():
            return False
        if self.flow.read_paused:  # the server is not reading, so the client is not to blame
            self._began, self._received = moment, 0
            return False
        took = moment - self._began
        if self.cycle is None or self.cycle.response_complete:
            # Also while the rest of a body arrives that the application did not read.
            return took > HEADER_TIMEOUT_S
        return bool(self.cycle.more_body) and took > REQUEST_TIMEOUT_S + self._received / RATE

    def handle_websocket_upgrade(self, *request: Any) -> None:
        """Pass the connection to :class:`WebSocket`."""
        self._checking.cancel()
        super().handle_websocket_upgrade(*request)  # type: ignore[misc]


try:
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
except ImportError:  # on Windows
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Http(TimedConnection, H11Protocol):
        """A connection over HTTP; h11 limits its own buffer, by ``h11_max_incomplete_event_size``."""
else:

    class Http(TimedConnection, HttpToolsProtocol):  # type: ignore[no-redef]
        """A connection over HTTP that buffers little of an incomplete request."""

        #: Bytes that the parser or this class may have buffered: those since the last part of a body.
        _buffered = 0
        _refusal = (400, NO_HTTP)

        def data_received(self, data: bytes) -> None:
            """Receive bytes, never more at once than may be buffered."""
            while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
                room = MAX_HEAD - self._buffered
                piece, data = data[:room], data[room:]
                self._buffered += len(piece)
                super().data_received(piece)
                if self._buffered >= MAX_HEAD and not self.transport.is_closing():
                    self._refusal = (431, LARGE_HEAD)
                    self.send_400_response()

        def on_header(self, name: bytes, value: bytes) -> None:
            """Receive a header or a trailer."""
            if len(self.headers) >= MAX_HEADERS:
                self._refuse(431, LARGE_HEAD)
            super().on_header(name, value)

        def on_headers_complete(self) -> None:
            """Start to answer the request, or queue it."""
            if len(self.pipeline) >= MAX_AHEAD:
                self._refuse(429, TOO_FAST)
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """Receive a part of a body."""
            self._buffered = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """Finish receiving a request."""
            self._buffered = 0
            super().on_message_complete()

        def _start_asgi_task(self, cycle: Any, app: Any) -> None:
            self.answered = cycle
            super()._start_asgi_task(cycle, app)

        def _refuse(self, status: int, problem: Problem) -> None:
            """Stop the parser; uvicorn then calls :meth:`send_400_response`."""
            self._refusal = (status, problem)
            raise ValueError(problem.message)

        def send_400_response(self, msg: str = "") -> None:
            """Refuse what is not a valid request, or too large."""
            self.mark_disconnected()
            status, problem = self._refusal
            REFUSED.labels(problem.code).inc()
            body = msgspec.json.encode(problem)
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[status] + head + body)
            self.transport.close()


class WebSocket(WatchedConnection, WebSocketsSansIOProtocol):
    """A WebSocket that limits the rate of frames, and measures the round-trip time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Start without frames."""
        super().__init__(*args, **kwargs)
        self._frames = Bucket(FRAMES, MAX_FRAMES)

    def data_received(self, data: bytes) -> None:
        """Receive bytes, a few at a time, so that a flood is noticed before all of it is parsed."""
        for first in range(0, len(data), PARSED):
            if not self.transport.is_closing():
                super().data_received(data[first : first + PARSED])
                if self.conn.handshake_exc is not None and not self.transport.is_closing():
                    # Uvicorn would neither send the error nor close the connection.
                    self.transport.write(b"".join(self.conn.data_to_send()))
                    self.transport.close()

    def handle_events(self) -> None:
        """Receive frames, unless they come too fast; pings and fragments of messages count too."""
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._fail("too many messages")

    def handle_cont(self, event: Frame) -> None:
        """Receive a fragment of a message."""
        if len(self.frames) < MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._fail("a message in too many pieces")

    def _fail(self, reason: str) -> None:
        REFUSED.labels("too_fast").inc()
        self._extensions.get(FLOODED, lambda: None)()
        self.conn.fail(4429, reason)
        self.handle_parser_exception()

    def start_keepalive(self) -> None:
        """Send the first ping at once, so that the round-trip time is known from the start."""
        self.send_keepalive_ping()

    async def run_asgi(self) -> None:
        """Run the application, with the round-trip time in its scope."""

        def round_trip() -> float:
            return self.last_ping_rtt

        self._extensions[ROUND_TRIP] = round_trip
        await super().run_asgi()

    @property
    def _extensions(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.scope["extensions"])
