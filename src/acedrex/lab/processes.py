"""The processors of this machine as an executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import TracebackType
from typing import ParamSpec, TypeVar

from acedrex.engine.process import kill_all

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
        # Processes that end in the middle of their work delete no files.
        self._folder = tempfile.TemporaryDirectory(prefix="acedrex-", ignore_cleanup_errors=True)
        super().__init__(workers, mp_context=context, initializer=_prepare, initargs=(end, self._folder.name))

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
        try:
            self.shutdown(wait=True, cancel_futures=True)
        finally:
            self._folder.cleanup()


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


def _prepare(end: Connection, folder: str) -> None:
    """Leave Ctrl-C to the main process, and end when it closes its end of a pipe or dies.

    :param folder: for temporary files; the main process deletes it.
    """
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        end.poll(None)
        kill_all()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
