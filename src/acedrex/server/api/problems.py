"""The common format of all error responses."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from acedrex import DefinitionError, Error
from acedrex.server import logs
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError
from acedrex.server.wire import Problem

log = structlog.get_logger()

#: Status codes by refusal; all others are 400.
STATUS = {
    "no_such_game": 404,
    "no_such_match": 404,
    "no_such_setup": 404,
    "no_such_page": 404,
    "no_such_job": 404,
    "no_such_puzzle": 404,
    "no_such_challenge": 404,
    "no_such_person": 404,
    "no_such_token": 404,
    "unknown_guest": 401,
    "unknown_token": 401,
    "missing_scope": 403,
    "may_not_publish": 403,
    "wrong_invite": 403,
    "no_seat": 403,
    "too_slow": 408,
    "taken": 409,
    "taken_id": 409,
    "own_match": 409,
    "over": 409,
    "match_full": 409,
    "broken_match": 500,
    "too_large": 413,
    "wrong_host": 421,
    "too_fast": 429,
    "engine_busy": 503,
    "busy": 503,
    "too_long": 503,
}


def answer(problem: Problem, status: int | None = None) -> Response:
    """Return the response for a problem."""
    code = status or STATUS.get(problem.code, 400)
    headers = {"WWW-Authenticate": "Bearer"} if code == 401 else {"Retry-After": "2"} if code in (429, 503) else {}
    return Response(msgspec.json.encode(problem), code, headers, "application/json")


def add_to(app: FastAPI) -> None:
    """Register handlers so that an app answers every error in the common format."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, refusal: Refusal) -> Response:
        return answer(refusal.problem)

    @app.exception_handler(Error)
    async def wrong(_: Request, error: Error) -> Response:
        code = "definition" if isinstance(error, DefinitionError) else "invalid"
        return answer(Problem(code, str(error)))

    @app.exception_handler(BusyError)
    async def busy(_: Request, __: BusyError) -> Response:
        return answer(Problem("busy", "the database is busy; try again in a moment"))

    @app.exception_handler(FullError)
    async def full(_: Request, __: FullError) -> Response:
        return answer(Problem("busy", "the server is busy; try again in a moment"))

    @app.exception_handler(LateError)
    async def late(request: Request, _: LateError) -> Response:
        log.warning("late", path=logs.path_of(request.scope))
        return answer(Problem("too_long", "this request takes too long; request less at a time, or try again later"))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return answer(Problem("invalid", str(first["msg"]), ".".join(map(str, first["loc"]))))

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> Response:
        found = answer(Problem(HTTPStatus(error.status_code).name.lower(), str(error.detail)), error.status_code)
        found.headers.update(error.headers or {})
        return found

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        # Nobody receives this; 499 is what proxies write in their logs for a client that has left.
        return Response(status_code=499)

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        log.error("fault", path=logs.path_of(request.scope), exc_info=error)
        return answer(Problem("fault", "something went wrong on the server; it has been logged"), 500)
