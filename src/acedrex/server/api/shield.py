"""What stands before every answer: whom it is for, rates, headers that keep browsers safe, and a line in the log."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acedrex.server.api import problems
from acedrex.server.api.limits import visitor
from acedrex.server.api.services import services_of
from acedrex.server.edge import FLOODED
from acedrex.server.fair import FairQueue, FullError
from acedrex.server.metrics import REQUESTS
from acedrex.server.visitor import Visitor
from acedrex.server.wire import Problem

log = structlog.get_logger()

#: Nothing from elsewhere, no script but our files, no frame around us. Styles may be set by script for the board.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'self'; "
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
#: Methods that are counted apart; visitors can think of any number of others.
METHODS = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}
#: Requests of one address that are answered at once; others of it wait, so that a flood of them is in nobody's way.
AT_ONCE, MOST_WAITING = 6, 300
#: As many sockets one counts as over which too much came.
FLOOD = 20
WRONG_HOST = (
    "this server does not answer to that name; start it with --origin https://..., or use its IP address or localhost"
)


class Shield:
    """Stands before an application."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        """Say before which, and at which addresses it is shown."""
        self._app = app
        self._turns: dict[str, FairQueue] = {}
        self._names = frozenset(urlsplit(origin).hostname for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = _rooted(scope)
        connection = HTTPConnection(scope)
        who, budgets = visitor(connection), services_of(connection).budgets
        is_api = scope["path"].removeprefix(scope.get("root_path", "")).startswith("/api/")
        if not budgets.take(who, "requests" if is_api else "files"):
            await self._refuse(Problem("too_fast", "too many requests; wait a moment"), scope, receive, send)
        elif not all(self._is_ours(host) for host in Headers(scope=scope).getlist("host")):
            await self._refuse(Problem("wrong_host", WRONG_HOST), scope, receive, send)
        elif scope["type"] == "websocket":
            # Or it would be opened again at once.
            scope["extensions"][FLOODED] = partial(budgets.charge, who, "sockets", FLOOD)
            await self._app(scope, receive, send)
        elif is_api:
            await self._in_turn(who, scope, receive, send)
        else:
            await self._app(scope, receive, self._headed(scope, send))

    async def _refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and problem.code == "too_fast":
            await send({"type": "websocket.close", "code": 4429, "reason": "too many requests"})
            return
        answer = problems.answer(problem)
        await answer(scope, receive, self._headed(scope, send) if scope["type"] == "http" else send)

    def _is_ours(self, host: str) -> bool:
        """Tell whether a host is none that a page of another site can have, by turning its name to our address."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if "." not in name or name.endswith(".local") or name in self._names:
                return True
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _in_turn(self, who: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request when it is its turn among those of its address. Its turn is over when the answer begins."""
        turns = self._turns.setdefault(who.address, FairQueue(AT_ONCE, MOST_WAITING, MOST_WAITING, MOST_WAITING))
        try:
            await turns.enter(who)
        except FullError:
            await self._refuse(Problem("too_fast", "too many requests; wait a moment"), scope, receive, send)
            return
        with ExitStack() as turn:
            turn.callback(turns.leave, who)

            async def leaving(message: Message) -> None:
                if message["type"] == "http.response.start":
                    turn.close()
                await send(message)

            await self._app(scope, receive, self._headed(scope, leaving))
        if not turns.total:
            self._turns.pop(who.address, None)

    def _headed(self, scope: Scope, send: Send) -> Send:
        began = time.perf_counter()

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
                REQUESTS.labels(scope["method"] if scope["method"] in METHODS else "other", message["status"]).inc()
                ms = round((time.perf_counter() - began) * 1000, 1)
                log.info("request", method=scope["method"], path=scope["path"][:200], status=message["status"], ms=ms)
            await send(message)

        return headed


def _rooted(scope: Scope) -> Scope:
    """Take a path as the proxy hands it on, with the root path or without; Uvicorn has put that before either."""
    root: str = scope.get("root_path", "")
    if not root or not (scope["path"] + "/").startswith(f"{root}{root}/"):
        return scope
    raw: bytes = scope.get("raw_path") or b""
    return {**scope, "path": scope["path"].removeprefix(root), "raw_path": raw.removeprefix(root.encode())}


def add_to(app: FastAPI, origins: Sequence[str]) -> None:
    """Stand before an application that is shown at some addresses."""
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(Shield, origins=origins)
