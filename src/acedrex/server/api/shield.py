"""The middleware of every request: host check, rate limits, security headers, and a line in the log."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acedrex.server import logs
from acedrex.server.api import problems
from acedrex.server.api.limits import visitor
from acedrex.server.limits.edge import FLOODED
from acedrex.server.limits.fair_queue import FairQueue, FullError
from acedrex.server.limits.visitor import Visitor
from acedrex.server.metrics import REQUESTS
from acedrex.server.services import services_of
from acedrex.server.wire import Problem

log = structlog.get_logger()

#: Nothing from other sites, no scripts but our files and our WebAssembly, no framing. Scripts may set styles, which the
#: board needs.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'self'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
#: Methods that have a metric label of their own; clients can invent any number of others.
METHODS = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}
#: Requests of one address that are handled at once; the rest wait, so that a flood does not hold up others.
AT_ONCE, MAX_WAITING = 6, 300
#: A socket that was closed for flooding costs as much as this many sockets.
FLOOD = 20
WRONG_HOST = (
    "this server does not answer to that name; start it with --origin https://..., or use its IP address or localhost"
)


class Turns(FairQueue):
    """The turns of an address, and its number of requests, with those that have none at the moment."""

    def __init__(self) -> None:
        """Start without requests."""
        super().__init__(AT_ONCE, MAX_WAITING, MAX_WAITING, MAX_WAITING)
        self.requests = 0


class Turn:
    """The turn of a request, which it has only while it keeps the server busy."""

    def __init__(self, turns: Turns, client: Visitor) -> None:
        """Count the request."""
        self.turns = turns
        self.turns.requests += 1
        self.is_on = False
        self._client = client

    async def begin(self) -> None:
        """Wait for the turn.

        :raises FullError: if too many requests wait.
        """
        await self.turns.enter(self._client)
        self.is_on = True

    def end(self) -> None:
        """Give others a turn."""
        if self.is_on:
            self.is_on = False
            self.turns.leave(self._client)


class Shield:
    """Middleware that admits, limits and logs the requests to an application."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        """Protect an application that is served at some origins."""
        self._app = app
        self._turns: dict[str, Turns] = {}
        self._names = frozenset(urlsplit(origin).hostname for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = _without_doubled_root(scope)
        connection = HTTPConnection(scope)
        client, budgets = visitor(connection), services_of(connection).budgets
        is_api = scope["path"].removeprefix(scope.get("root_path", "")).startswith("/api/")
        if not budgets.take(client, "requests" if is_api else "files"):
            await self._refuse(Problem("too_fast", "too many requests; wait a moment"), scope, receive, send)
        elif not all(self._is_ours(host) for host in Headers(scope=scope).getlist("host")):
            await self._refuse(Problem("wrong_host", WRONG_HOST), scope, receive, send)
        elif scope["type"] == "websocket":
            # Without a charge a flooding client would reconnect at once.
            scope["extensions"][FLOODED] = partial(budgets.charge, client, "sockets", FLOOD)
            await self._app(scope, receive, send)
        elif is_api:
            await self._in_turn(client, scope, receive, send)
        else:
            await self._app(scope, receive, self._with_headers(scope, send))

    async def _refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and problem.code == "too_fast":
            await send({"type": "websocket.close", "code": 4429, "reason": "too many requests"})
            return
        answer = problems.answer(problem)
        await answer(scope, receive, self._with_headers(scope, send) if scope["type"] == "http" else send)

    def _is_ours(self, host: str) -> bool:
        """Return whether a host is ours, so that no other site can point its own name at our address (rebinding)."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if "." not in name or name.endswith(".local") or name in self._names:
                return True
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _in_turn(self, client: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request in turn among those of its address.

        It has no turn while its body arrives, which may be slowly, and none after its response has begun.
        """
        turn = Turn(self._turns.setdefault(client.address, Turns()), client)
        try:
            await turn.begin()

            async def receive_out_of_turn() -> Message:
                if not turn.is_on:
                    return await receive()
                turn.end()
                message = await receive()
                await turn.begin()
                return message

            async def send_and_leave(message: Message) -> None:
                if message["type"] == "http.response.start":
                    turn.end()
                await send(message)

            await self._app(scope, receive_out_of_turn, self._with_headers(scope, send_and_leave))
        except FullError:
            await self._refuse(Problem("too_fast", "too many requests; wait a moment"), scope, receive, send)
        finally:
            turn.end()
            turn.turns.requests -= 1
            if not turn.turns.requests:
                del self._turns[client.address]

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        began = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
                REQUESTS.labels(scope["method"] if scope["method"] in METHODS else "other", message["status"]).inc()
                ms = round((time.perf_counter() - began) * 1000, 1)
                log.info("request", method=scope["method"], path=logs.path_of(scope), status=message["status"], ms=ms)
            await send(message)

        return send_with_headers


def _without_doubled_root(scope: Scope) -> Scope:
    """Accept paths from the proxy with or without the root path; Uvicorn has put it before either."""
    root: str = scope.get("root_path", "")
    if not root or not (scope["path"] + "/").startswith(f"{root}{root}/"):
        return scope
    raw: bytes = scope.get("raw_path") or b""
    return {**scope, "path": scope["path"].removeprefix(root), "raw_path": raw.removeprefix(root.encode())}


def add_to(app: FastAPI, origins: Sequence[str]) -> None:
    """Add the middleware to an application that is served at some origins."""
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(Shield, origins=origins)
