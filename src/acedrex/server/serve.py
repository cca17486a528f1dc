"""Runs the server."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable

import structlog
import uvicorn
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.supervisors import Multiprocess

from acedrex.errors import Error
from acedrex.server import bus, edge
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


def logging_to_stderr() -> None:
    """Write one line an event: for people on a terminal, else JSON."""
    pretty = sys.stderr.isatty()
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


def run(settings: Settings, host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until told to stop.

    :param ready: is called when the address can be visited.
    :raises Error: if it cannot be served.
    """
    check(settings)
    if settings.redis is not None:
        # Workers would say it too, but with a traceback each.
        bus.reach(settings.redis)
    try:
        migrate(settings.database)
    except ModuleNotFoundError as error:
        raise Error(f'{error.name} is missing; pip install "acedrex[server,scale]" brings it') from None
    except (SQLAlchemyError, OSError) as error:
        shown = make_url(settings.database).render_as_string()
        raise Error(f"cannot open the database {shown}: {getattr(error, 'orig', None) or error}") from None
    settings.hand_on()
    edge.open_many_files()
    config = uvicorn.Config(
        "acedrex.server.app:create",
        factory=True,
        host=host,
        port=port,
        http=edge.Http,
        ws=edge.WebSocket,
        workers=settings.workers,
        root_path=settings.root_path,
        access_log=False,
        log_level="warning",
        server_header=False,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=edge.MOST_HEAD,
    )
    try:
        # Bound here, so that an address in use is told before anything begins.
        listening = config.bind_socket()
    except SystemExit:
        raise Error(f"cannot listen at {host}:{port}; is another server there? --port chooses another port") from None
    edge.keep_little_unsent(listening)
    # Uvicorn shuts down and then raises the signal again, which is no failure.
    signal.signal(signal.SIGTERM, lambda *_: None)
    ready()
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])
