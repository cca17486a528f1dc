"""The processors of this machine as an executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection
from types import TracebackType

__all__ = ["Processes"]


class Processes(ProcessPoolExecutor):
    """Worker processes that end with the ``with`` block or with this process, even in the middle of their work.

    :param workers: how many.
    """

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        end, self._open = context.Pipe(duplex=False)
        super().__init__(workers, mp_context=context, initializer=_prepare, initargs=(end,))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the processes."""
        self._open.close()
        self.shutdown(wait=True, cancel_futures=True)


def _prepare(end: Connection) -> None:
    """Leave Ctrl-C to the main process, and end when it closes its end of a pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        end.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
