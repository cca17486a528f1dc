"""The processors of this machine as an executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["Processes"]


class Processes(ProcessPoolExecutor):
    """Worker processes that end with the ``with`` block or with this process, even in the middle of their work.

    :param workers: how many.
    """

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        end, self._open = context.Pipe(duplex=False)
        super().__init__(workers, mp_context=context, initializer=_prepare, initargs=(end,))

    def submit(self, function: Callable[P, T], /, *args: P.args, **keywords: P.kwargs) -> Future[T]:
        """Hand out work; processes that this starts never see Ctrl-C, not even while they begin."""
        with _ctrl_c_blocked():
            return super().submit(function, *args, **keywords)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the processes."""
        self._open.close()
        self.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Let Ctrl-C wait; new processes inherit that. Windows has no such masks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(end: Connection) -> None:
    """Leave Ctrl-C to the main process, and end when it closes its end of a pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        end.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
