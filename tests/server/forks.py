"""Starts servers as forks of a process that has already imported them, in a quarter of the time.

``python -m tests.server.forks`` is that process. It reads a line of JSON for each order, and answers with a number: the
process that it has started, or the exit status of one that has ended.
"""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]


class Fork:
    """A fork that runs the command line, with the methods of :class:`subprocess.Popen` that tests use."""

    def __init__(self, words: list[str], environment: dict[str, str], log: Path) -> None:
        """Start it in a new session.

        :param words: the command line after ``acedrex``.
        :param log: gets what it prints.
        """
        self.pid = _parent().ask("start", words, environment, str(log))
        self._ended = os.pidfd_open(self.pid)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, or ``None`` while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit status."""
        status = self._look(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("acedrex", timeout or 0)
        return status

    def terminate(self) -> None:
        """Ask it to end."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _look(self, timeout: float | None) -> int | None:
        if self._status is None and select.select([self._ended], [], [], timeout)[0]:
            os.close(self._ended)
            self._status = _parent().ask("wait", self.pid)
        return self._status


class Parent:
    """The process that forks."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "tests.server.forks"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        self._asking = threading.Lock()

    def ask(self, *order: Any) -> int:
        """Send an order, and return the answer."""
        assert self._process.stdin and self._process.stdout
        with self._asking:
            print(json.dumps(order), file=self._process.stdin, flush=True)
            return int(self._process.stdout.readline())


@functools.cache
def _parent() -> Parent:
    return Parent()


def _become(words: list[str], environment: dict[str, str], log: str) -> NoReturn:
    import uvicorn._subprocess

    from acedrex.cli import main

    # Several workers are forks too.
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.setsid()
    for descriptor, path, mode in ((0, os.devnull, os.O_RDONLY), (1, log, os.O_WRONLY | os.O_APPEND)):
        os.dup2(os.open(path, mode), descriptor)
    os.dup2(1, 2)
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(main(words))


def _obey() -> None:
    import acedrex.cli.serve
    import acedrex.server.app
    import acedrex.server.serve  # noqa: F401

    for line in sys.stdin:
        order, *rest = json.loads(line)
        if order == "wait":
            print(os.waitstatus_to_exitcode(os.waitpid(rest[0], 0)[1]), flush=True)
        elif pid := os.fork():
            print(pid, flush=True)
        else:
            _become(*rest)


if __name__ == "__main__":
    _obey()
