"""Runs the server."""

from __future__ import annotations

import logging
import sys

import structlog
import uvicorn

from acedrex.errors import Error
from acedrex.server.migrate import migrate
from acedrex.server.settings import Settings

#: Most bytes of a message over a socket.
MOST_BYTES = 16 * 1024


def check(settings: Settings) -> None:
    """See that several processes have what they share.

    :raises Error: if they do not.
    """
    if settings.workers == 1:
        return
    missing = []
    if settings.database.startswith("sqlite"):
        missing.append("ACEDREX_DATABASE_URL=postgresql://... (SQLite is for one process)")
    if settings.redis is None:
        missing.append("ACEDREX_REDIS_URL=redis://... (by which they tell each other what happens)")
    if missing:
        raise Error(f"{settings.workers} workers need {' and '.join(missing)}; set that, or use --workers 1")


def logging_to_stderr(*, pretty: bool) -> None:
    """Write one line an event: for people on a terminal, else JSON."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.StackInfoRenderer(),
            *([] if pretty else [structlog.processors.format_exc_info]),
            structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def run(settings: Settings, host: str, port: int) -> None:
    """Serve until told to stop.

    :raises Error: if it cannot.
    """
    check(settings)
    migrate(settings.database)
    settings.hand_on()
    uvicorn.run(
        "acedrex.server.app:create",
        factory=True,
        host=host,
        port=port,
        workers=settings.workers,
        root_path=settings.root_path,
        access_log=False,
        log_level="warning",
        server_header=False,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
    )
