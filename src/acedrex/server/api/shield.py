"""What stands before every answer: whom it is for, rates, headers that keep browsers safe, and a line in the log."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acedrex.server.api import problems
from acedrex.server.api.limits import Visitors, visitor
from acedrex.server.metrics import REQUESTS
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
WRONG_HOST = (
    "this server does not know itself by that name; whoever runs it names its address with --origin https://..., "
    "or asks it by its IP address or as localhost"
)
#: Requests a second for one visitor, and how many at once; what costs more may be asked for less often.
RATE, BURST = 30, 300
DEAR_RATE, DEAR_BURST = 5, 200
#: Files of the app are cheap, and a first visit takes thirty of them: a class behind one address comes in together.
FILES_RATE, FILES_BURST = 200, 3000


class Shield:
    """Stands before an application."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        """Say before which, and at which addresses it is shown."""
        self._app = app
        self._names = frozenset(urlsplit(origin).hostname for origin in origins)
        self._visitors = Visitors(RATE, BURST)
        self._dear = Visitors(DEAR_RATE, DEAR_BURST)
        self._files = Visitors(FILES_RATE, FILES_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = _rooted(scope)
        who = visitor(HTTPConnection(scope))
        if not self._may(scope, who):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4429, "reason": "too many sockets"})
                return
            answer = problems.answer(Problem("too_fast", "too many requests; wait a moment"))
            await answer(scope, receive, self._headed(scope, send))
            return
        if not all(self._is_ours(host) for host in Headers(scope=scope).getlist("host")):
            answer = problems.answer(Problem("wrong_host", WRONG_HOST))
            await answer(scope, receive, self._headed(scope, send) if scope["type"] == "http" else send)
            return
        await self._app(scope, receive, self._headed(scope, send) if scope["type"] == "http" else send)

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

    def _may(self, scope: Scope, who: str) -> bool:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if not path.startswith("/api/"):
            return self._files.take(who)
        dear = scope["type"] == "websocket" or (scope["method"] == "POST" and path in DEAR)
        return self._visitors.take(who) and (not dear or self._dear.take(who))

    def _headed(self, scope: Scope, send: Send) -> Send:
        began = time.perf_counter()

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
                REQUESTS.labels(scope["method"], message["status"]).inc()
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


#: Paths whose POST makes something that stays.
DEAR = ("/api/guests", "/api/matches")


def add_to(app: FastAPI, origins: Sequence[str] = ()) -> None:
    """Stand before an application that is shown at some addresses."""
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(Shield, origins=origins)
