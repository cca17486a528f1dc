"""Ends processes: gracefully on a signal, forcibly if that takes too long, and when the parent process has died.

Signal handlers only queue the signal, and threads act on it, since the event loop, the database or the log may hang.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

import structlog

log = structlog.get_logger()

#: Seconds for a graceful shutdown: of a worker process, of a supervisor, which waits for its workers, and of a worker
#: whose supervisor has died.
WORKER_TIMEOUT_S, SUPERVISOR_TIMEOUT_S, ORPHAN_TIMEOUT_S = 15.0, 20.0, 5.0
#: Seconds for writing the last line of the log.
LOG_TIMEOUT_S = 0.5

_signals: queue.SimpleQueue[int] = queue.SimpleQueue()
#: What a signal calls first, and the seconds for the whole shutdown; ``None`` until graceful shutdown is enabled.
_graceful: tuple[Callable[[], object], float] | None = None


def watch() -> None:
    """End this process when its parent dies and on a signal: at once until :func:`enable_graceful_shutdown`."""

    def end(number: int, frame: FrameType | None) -> None:
        _signals.put(number)
        if _graceful is not None:
            _graceful[0]()
        previous = previous_handlers[signal.Signals(number)]
        if callable(previous):
            previous(number, frame)

    previous_handlers = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    for work in (_end_in_time, _end_with_parent):
        threading.Thread(target=work, daemon=True).start()


def enable_graceful_shutdown(first: Callable[[], object], limit: float = WORKER_TIMEOUT_S) -> None:
    """Make a signal end this process gracefully from now on.

    :param first: called in the signal handler; it ends the responses for which the server would wait.
    :param limit: the seconds after which the process is ended forcibly.
    """
    global _graceful
    _graceful = first, limit


def _end_in_time() -> None:
    _signals.get()
    if _graceful is None:
        os._exit(0)
    _, limit = _graceful
    time.sleep(limit)
    _force_end("it did not end in order", limit)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ORPHAN_TIMEOUT_S)
        _force_end("its supervisor has died", ORPHAN_TIMEOUT_S)


def _force_end(reason: str, limit: float) -> None:
    threading.Thread(
        target=log.error, args=("ended_hard",), kwargs={"why": reason, "seconds": limit}, daemon=True
    ).start()
    time.sleep(LOG_TIMEOUT_S)
    os._exit(1)
