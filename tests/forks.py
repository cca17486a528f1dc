"""Starts servers and engines as forks of a process that has already imported them, in a quarter of the time.

``python -m tests.forks`` is that process. It reads a line of JSON for each order, and answers with a number: the
process that it has started, or the exit status of one that has ended.
"""

from __future__ import annotations

import functools
import gc
import json
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[1]


class Fork:
    """A fork that runs the command line, with the methods of :class:`subprocess.Popen` that tests use."""

    def __init__(
        self, words: list[str], environment: Mapping[str, str], output: Path, input: str | Path = os.devnull
    ) -> None:
        """Start it in a new session.

        :param words: the command line after ``acedrex``.
        :param output: gets what it prints, with its errors unless it has an input.
        :param input: what it reads.
        """
        self.pid = _parent().ask("start", words, dict(environment), str(output), str(input))
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

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if self._status is None and select.select([self._ended], [], [], timeout)[0]:
            os.close(self._ended)
            self._status = _parent().ask("wait", self.pid)
        return self._status


class Parent:
    """The process that forks."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "tests.forks"]
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


def _become(words: list[str], environment: dict[str, str], output: str, input: str) -> NoReturn:
    import uvicorn._subprocess

    from acedrex.cli import main

    # Several workers are forks too.
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.setsid()
    for descriptor, path, mode in ((0, input, os.O_RDONLY), (1, output, os.O_WRONLY | os.O_APPEND)):
        os.dup2(opened := os.open(path, mode), descriptor)
        os.close(opened)
    if input == os.devnull:
        os.dup2(1, 2)
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(main(words))


def _obey() -> None:
    import acedrex.cli.serve
    import acedrex.server.app
    import acedrex.server.serve
    import acedrex.uci
    import acedrex.xboard  # noqa: F401

    # Forks do not copy what they only look through.
    gc.collect()
    gc.freeze()
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
