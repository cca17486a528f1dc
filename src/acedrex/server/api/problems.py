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
from acedrex.server.play.engines import EngineBusyError
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
    "no_such_engine": 404,
    "no_such_token": 404,
    "no_such_session": 404,
    "no_such_passkey": 404,
    "no_such_report": 404,
    "no_such_line": 404,
    "no_such_tournament": 404,
    "no_such_board": 404,
    "no_such_study": 404,
    "no_such_chapter": 404,
    "no_such_node": 404,
    "unknown_guest": 401,
    "unknown_token": 401,
    "missing_scope": 403,
    "may_not_publish": 403,
    "may_not_make": 403,
    "no_maker": 403,
    "wrong_invite": 403,
    "wrong_password": 403,
    "wrong_code": 403,
    "wrong_recovery": 403,
    "wrong_passkey": 403,
    "wrong_link": 403,
    "wrong_invitation": 403,
    "sign_ups_closed": 403,
    "no_seat": 403,
    "no_writer": 403,
    "no_owner": 403,
    "withdrawn": 403,
    "no_messages": 403,
    "no_moderator": 403,
    "is_moderator": 403,
    "muted": 403,
    "account_closed": 403,
    "too_slow": 408,
    "taken": 409,
    "taken_id": 409,
    "name_taken": 409,
    "has_account": 409,
    "no_account": 409,
    "last_session": 409,
    "last_way": 409,
    "known_passkey": 409,
    "no_mail": 409,
    "too_many": 409,
    "changed_meanwhile": 409,
    "no_solution": 409,
    "own_match": 409,
    "yourself": 409,
    "unavailable": 409,
    "days_off": 409,
    "no_days_off": 409,
    "your_turn": 409,
    "live": 409,
    "over": 409,
    "entered": 409,
    "removed": 409,
    "started": 409,
    "full": 409,
    "no_entry": 409,
    "host": 409,
    "no_appointment": 409,
    "early": 409,
    "match_full": 409,
    "broken_match": 500,
    "fault": 500,
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


#: The errors whose reason a visitor learns; all others are faults of the server.
EXPLAINED = (Refusal, Error, EngineBusyError, BusyError, FullError, LateError)


def problem_of(error: Exception, **where: str) -> Problem:
    """Return the problem that a visitor sees for an error. A fault of the server is logged, with where it happened."""
    match error:
        case Refusal():
            return error.problem
        case DefinitionError():
            return Problem("definition", str(error))
        case Error():
            return Problem("invalid", str(error))
        case EngineBusyError():
            return Problem("engine_busy", "the engine is busy; try again in a moment")
        case BusyError():
            return Problem("busy", "the database is busy; try again in a moment")
        case FullError():
            return Problem("busy", "the server is busy; try again in a moment")
        case LateError():
            log.warning("late", **where)
            return Problem("too_long", "this request takes too long; request less at a time, or try again later")
        case _:
            log.error("fault", exc_info=error, **where)
            return Problem("fault", "something went wrong on the server; it has been logged")


def add_to(app: FastAPI) -> None:
    """Register handlers so that an app answers every error in the common format."""

    async def handle(request: Request, error: Exception) -> Response:
        return answer(problem_of(error, path=logs.path_of(request.scope)))

    for kind in (*EXPLAINED, Exception):
        app.add_exception_handler(kind, handle)

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
