"""The log: a line for each event, with nothing in it that people write or prove themselves by."""

from __future__ import annotations

import logging
import sqlite3
import sys
import traceback
from collections.abc import Iterator

import structlog

log = structlog.get_logger()

#: Exceptions whose messages are made of the names of our code. Those of others may hold what somebody has written: a
#: database driver tells the row that it refused, a ValueError the text that was no number.
OF_CODE = (AttributeError, ImportError, NameError, TypeError)


def begin() -> None:
    """Write to standard error: for people on a terminal, else JSON. What libraries log is written in the same way."""
    pretty = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.ExceptionRenderer(lambda found: traceback_of(found[1])),
            # Quoted, so that what somebody asks for cannot move the cursor.
            structlog.dev.ConsoleRenderer(repr_native_str=True) if pretty else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(handlers=[_Libraries()])


def traceback_of(error: BaseException) -> str:
    """Tell where an exception comes from: frames and types, and messages only where they cannot be about people."""
    return "\n".join(_told(error, set()))


def _told(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for earlier in (*inner, *([cause] if cause else [])):
        if id(earlier) not in seen:
            yield from _told(earlier, seen)
            yield "\nThis led to:\n"
    yield "Traceback (most recent call last):"
    yield "".join(traceback.format_tb(error.__traceback__)) + _named(error)


def _named(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    said = None
    if isinstance(error, OF_CODE):
        said = str(error)
    elif isinstance(error, OSError) and error.errno:
        said = error.strerror
    elif isinstance(error, sqlite3.Error):
        said = getattr(error, "sqlite_errorname", None)
    return f"{name}: {said}" if said else name


class _Libraries(logging.Handler):
    """Takes in what libraries log: only the first line, since asyncio writes down whole tasks in those below."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        said = record.getMessage().strip().partition("\n")[0]
        # A traceback that comes as a message is that of the exception that is being handled.
        error = record.exc_info or said.startswith("Traceback")
        log.log(record.levelno, "library", logger=record.name, said=said, exc_info=error)
