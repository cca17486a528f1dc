"""The log: a line for each event, without anything that people write, without secrets, and without ids.

Whoever knows the id of a match can watch it, so the log has references in the place of ids.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
import traceback
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import suppress
from typing import Any, TextIO

import structlog

from acedrex.server import ids

log = structlog.get_logger()

#: Exceptions whose messages contain only names from our code. Other messages may contain what people wrote: that of a
#: database driver has the row that was refused, that of a ValueError the text that was not a number.
SAFE_MESSAGES = (AttributeError, ImportError, NameError, TypeError)


#: The fields of events that are ids: of a match, a whole-game analysis, a person, a tournament.
IDS = ("match", "job", "person", "tournament")
#: The key under which a request's scope has the path to log, if it is not that of its route.
LOGGED_PATH = "acedrex.logged_path"


def path_of(scope: Mapping[str, Any]) -> str:
    """Return the path of a request for the log: the template of its route, since the path itself may have ids in it."""
    path = scope.get(LOGGED_PATH) or getattr(scope.get("route"), "path", None)
    if path is None:
        # Refused before it was routed.
        local = scope["path"].removeprefix(scope.get("root_path", ""))
        path = "/api/*" if local.startswith("/api/") else "/*"
    return str(path)


def _without_ids(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Put references in the place of ids."""
    for name in IDS:
        if event.get(name) is not None:
            event[name] = ids.reference(event[name])
    # Who published a game: a guest by id, or the bearer of an operator's token by name.
    kind, _, id = str(event.get("publisher", "")).partition(" ")
    if kind == "guest":
        event["publisher"] = f"{kind} {ids.reference(id)}"
    return event


class Unfailing:
    """A stream whose failures disturb nobody: the log may be a file on the same full disk as the database."""

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream

    def write(self, text: str) -> None:
        """Write a text, or lose it."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Pass on what was written, or lose it."""
        with suppress(OSError):
            self._stream.flush()


def begin() -> None:
    """Log to standard error: readable text on a terminal, otherwise JSON. Logs of libraries get the same format."""
    pretty = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _without_ids,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.ExceptionRenderer(lambda found: traceback_of(found[1])),
            # Quoted, so that control characters in a request cannot move the cursor.
            structlog.dev.ConsoleRenderer(repr_native_str=True) if pretty else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(Unfailing(sys.stderr)),  # type: ignore[arg-type]
    )
    logging.basicConfig(handlers=[_Libraries()])


def traceback_of(error: BaseException) -> str:
    """Format a traceback: frames and types, and messages only if they cannot contain what people wrote."""
    return "\n".join(_traceback_lines(error, set()))


def _traceback_lines(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for earlier in (*inner, *([cause] if cause else [])):
        if id(earlier) not in seen:
            yield from _traceback_lines(earlier, seen)
            yield "\nThis led to:\n"
    yield "Traceback (most recent call last):"
    yield "".join(traceback.format_tb(error.__traceback__)) + _exception_line(error)


def _exception_line(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    message = None
    if isinstance(error, SAFE_MESSAGES):
        message = str(error)
    elif isinstance(error, OSError) and error.errno:
        message = error.strerror
    elif isinstance(error, sqlite3.Error):
        message = getattr(error, "sqlite_errorname", None)
    return f"{name}: {message}" if message else name


class _Libraries(logging.Handler):
    """Forwards the logs of libraries: only the first line, since asyncio prints whole tasks in the others."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        message = record.getMessage().strip().partition("\n")[0]
        # A traceback as a message belongs to the exception that is being handled.
        error = record.exc_info or message.startswith("Traceback")
        log.log(record.levelno, "library", logger=record.name, said=message, exc_info=error)
