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
from acedrex.server import bus, logs, shutdown
from acedrex.server.limits import edge
from acedrex.server.settings import Settings
from acedrex.server.storage.file_lock import claimed
from acedrex.server.storage.migrate import UnknownSchemaError, migrate

#: The maximum number of bytes of a message over a socket.
MAX_MESSAGE = 16 * 1024


def check(settings: Settings) -> None:
    """Check that several worker processes are supported, and have a database and Redis to share.

    :raises Error: if they have not.
    """
    if settings.workers == 1:
        return
    if sys.platform == "win32":
        # The event loops of Uvicorn's workers cannot start processes there, which analysis and definitions need.
        raise Error("on Windows the server is one process; use --workers 1")
    missing = []
    if settings.database.startswith("sqlite"):
        missing.append("ACEDREX_DATABASE_URL=postgresql://... (SQLite is for one process)")
    if settings.redis is None:
        missing.append("ACEDREX_REDIS_URL=redis://... (by which they tell each other what happens)")
    if missing:
        raise Error(f"{settings.workers} workers need {' and '.join(missing)}; set that, or use --workers 1")


def run(settings: Settings, host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until stopped.

    :param ready: called when the server accepts connections.
    :raises Error: if the server cannot start.
    """
    check(settings)
    with claimed(settings.database):
        _run(settings, host, port, ready)


def _run(settings: Settings, host: str, port: int, ready: Callable[[], None]) -> None:
    if settings.redis is not None:
        # Workers would report it too, but each with a traceback.
        bus.reach(settings.redis)
    try:
        migrate(settings.database)
    except ModuleNotFoundError as error:
        raise Error(f'{error.name} is missing; in a checkout pip install ".[server,scale]" brings it') from None
    except (SQLAlchemyError, OSError, UnknownSchemaError) as error:
        shown = make_url(settings.database).render_as_string()
        # After the first line, drivers quote rows.
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0] or "it does not answer"
        raise Error(f"cannot open the database {shown}: {reason}") from None
    settings.export()
    edge.raise_file_limit()
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
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=edge.MAX_HEAD,
    )
    try:
        # Bound here, so that an address in use is reported before anything starts.
        server_socket = config.bind_socket()
    except SystemExit:
        raise Error(f"cannot listen at {host}:{port}; is another server there? --port chooses another port") from None
    edge.limit_unsent(server_socket)
    # For a signal before Uvicorn handles them, and for the one that it raises again after its shutdown.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    ready()
    if not _serve(config, server_socket):
        raise Error("the server could not start; see the log")


class _Supervisor(Multiprocess):
    """Starts workers again that have ended.

    Uvicorn's own also kills those that do not answer within seconds. On a busy machine these are workers that still
    start, which then would start for ever, and those whose start has failed, before they can say so.
    """

    def keep_subprocess_alive(self) -> None:
        if not all(worker.process.is_alive() for worker in self.processes):
            super().keep_subprocess_alive()


def _serve(config: uvicorn.Config, server_socket: socket.socket) -> bool:
    """Serve until stopped, and return whether the server started at all."""
    if config.workers > 1:
        supervisor = _Supervisor(config, sockets=[server_socket])
        shutdown.watch()
        shutdown.enable_graceful_shutdown(lambda: None, shutdown.SUPERVISOR_TIMEOUT_S)
        supervisor.run()
        return all(process.exitcode != STARTUP_FAILURE for process in supervisor.processes)
    try:
        uvicorn.Server(config).run(sockets=[server_socket])
    except SystemExit as stop:
        return stop.code != STARTUP_FAILURE
    return True
