"""How a process ends: in order when it is told to, hard when that takes too long, and with whoever began it.

Signal handlers only leave word, and threads act on it: the event loop, the database or the log may be what hangs.
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

#: Seconds that a process may take to end in order; that a supervisor may, which waits for such processes; and that one
#: may whose supervisor has died.
LIMIT, SUPERVISING, ORPHANED = 15.0, 20.0, 5.0
#: Seconds that the last line of the log may take.
LAST_WORDS = 0.5

_told: queue.SimpleQueue[int] = queue.SimpleQueue()
#: What is done first when the process is told to end, and how long all may take; nothing before there is work to end.
_order: tuple[Callable[[], object], float] | None = None


def watch() -> None:
    """See to it that this process ends: at once if it is told to before :func:`in_order`, and with its parent."""

    def end(number: int, frame: FrameType | None) -> None:
        _told.put(number)
        if _order is not None:
            _order[0]()
        before = others[signal.Signals(number)]
        if callable(before):
            before(number, frame)

    others = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    for work in (_end_in_time, _end_with_parent):
        threading.Thread(target=work, daemon=True).start()


def in_order(first: Callable[[], object], limit: float = LIMIT) -> None:
    """Let a signal end this process in order from now on.

    :param first: is called in the signal's handler, so that answers come to their end for which a server would wait.
    :param limit: the seconds after which it is ended hard.
    """
    global _order
    _order = first, limit


def _end_in_time() -> None:
    _told.get()
    if _order is None:
        os._exit(0)
    _, limit = _order
    time.sleep(limit)
    _end_hard("it did not end in order", limit)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ORPHANED)
        _end_hard("its supervisor has died", ORPHANED)


def _end_hard(why: str, limit: float) -> None:
    threading.Thread(target=log.error, args=("ended_hard",), kwargs={"why": why, "seconds": limit}, daemon=True).start()
    time.sleep(LAST_WORDS)
    os._exit(1)
