"""Runs the server."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from acedrex.errors import Error
from acedrex.server import bus, edge, ending, logs
from acedrex.server.migrate import migrate
from acedrex.server.settings import Settings

#: Most bytes of a message over a socket.
MOST_BYTES = 16 * 1024


def check(settings: Settings) -> None:
    """See that several processes can work, and have what they share.

    :raises Error: if not.
    """
    if settings.workers == 1:
        return
    if sys.platform == "win32":
        # There Uvicorn's workers run loops that cannot begin processes, of which analysis and definitions need some.
        raise Error("on Windows the server is one process; use --workers 1")
    missing = []
    if settings.database.startswith("sqlite"):
        missing.append("ACEDREX_DATABASE_URL=postgresql://... (SQLite is for one process)")
    if settings.redis is None:
        missing.append("ACEDREX_REDIS_URL=redis://... (by which they tell each other what happens)")
    if missing:
        raise Error(f"{settings.workers} workers need {' and '.join(missing)}; set that, or use --workers 1")


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
        raise Error(f'{error.name} is missing; in a checkout pip install ".[server,scale]" brings it') from None
    except (SQLAlchemyError, OSError) as error:
        shown = make_url(settings.database).render_as_string()
        # Below the first line drivers tell of rows.
        said = str(getattr(error, "orig", None) or error).partition("\n")[0] or "it does not answer"
        raise Error(f"cannot open the database {shown}: {said}") from None
    settings.hand_on()
    edge.open_many_files()
    logs.begin()
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
        log_config=None,
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
    # For a signal before Uvicorn listens to them, and for the one that it raises again when it has shut down.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    ready()
    if not _served(config, listening):
        raise Error("the server could not begin; the log says why")


def _served(config: uvicorn.Config, listening: socket.socket) -> bool:
    """Serve until told to stop; tell whether it began at all."""
    if config.workers > 1:
        supervisor = Multiprocess(config, sockets=[listening])
        ending.watch()
        ending.in_order(lambda: None, ending.SUPERVISING)
        supervisor.run()
        return all(process.exitcode != STARTUP_FAILURE for process in supervisor.processes)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except SystemExit as stop:
        return stop.code != STARTUP_FAILURE
    return True
