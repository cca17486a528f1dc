"""A game in the terminal, with its lines given at once or typed on a real terminal."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time

import pytest

from acedrex.cli import main

if os.name == "posix":
    import fcntl
    import pty
    import termios


CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """A terminal of 80 columns, without the caller's colour settings."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "WT_SESSION", "ACEDREX_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ACEDREX_DEBUG", "1")  # internal errors must be visible


@pytest.fixture
def talk(monkeypatch, capsys):
    """Plays a game, or solves puzzles, with these lines, and returns the output."""

    def talk(*argv: str, lines: str = "", command: str = "play") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert main([command, *map(str, argv)]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return talk


def sentences(out: str) -> str:
    """The output on one line."""
    return " ".join(out.split())


class Terminal:
    """The command line on a separate terminal."""

    def __init__(self, *argv: str, columns: int = 80, rows: int = 30, **environment: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)

        def take() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            # A shell may have started the tests with Ctrl-C ignored, as it does for an &.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        path = os.pathsep.join(filter(None, sys.path))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "acedrex", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=take,
            env={**inherited, "PYTHONPATH": path, "PYTHONUTF8": "1", "TERM": "xterm-256color", **environment},
        )
        self.slave = slave
        self.seen = ""
        self.read = 0  # how much of the output the test has read

    @property
    def shown(self) -> str:
        """All output, without control sequences."""
        return CONTROL.sub("", re.sub(r"\x1b(\[[0-9;?]*)?$", "", self.seen))

    def take(self, seconds: float) -> bool:
        """Read the output that is available."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        return True

    def expect(self, words: str, seconds: float = 30) -> str:
        """Read up to these words, and return what was read."""
        end = time.monotonic() + seconds
        while (at := self.shown.find(words, self.read)) < 0:
            assert self.take(max(0, end - time.monotonic())), f"{words!r} did not come: {self.shown[self.read :]}"
        start, self.read = self.read, at + len(words)
        return self.shown[start : self.read]

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\r")

    def end(self) -> int:
        """Wait for the end, and check that the terminal was restored."""
        end = time.monotonic() + 30
        while (self.process.poll() is None and time.monotonic() < end) or self.take(0):
            self.take(0.05)
        status = self.process.wait(timeout=10)
        assert termios.tcgetattr(self.slave) == self.before
        return status

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def open_terminal():
    """Opens terminals, and closes them when the test is over."""
    opened: list[Terminal] = []

    def open_one(*argv: str, **options) -> Terminal:
        opened.append(Terminal(*argv, **options))
        return opened[-1]

    yield open_one
    for screen in opened:
        screen.close()
