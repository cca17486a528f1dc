"""Another program, with which we exchange lines over its standard input and output."""

from __future__ import annotations

import collections
import io
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from acedrex.errors import Error

__all__ = ["EngineError", "Program", "kill_all", "shorten", "split_command"]

#: The longest line that is read, in bytes; the rest of a longer line is dropped.
MAX_LINE = 16 * 1024
#: The most lines that wait to be read; beyond that the oldest are dropped.
MAX_WAITING = 2000
#: The most seconds that a program may take to read a line that is sent to it.
MAX_SENDING = 10.0


class EngineError(Error):
    """An engine program failed. The message names it, what was expected and what came instead."""


class Program:
    """A running program whose output is bounded.

    :param command: the program with its arguments, as one shell command or as a list of words.
    :raises EngineError: if the program cannot be started.
    """

    def __init__(self, command: str | Sequence[str]) -> None:
        try:
            words = split_command(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineError(f"the command {shorten(str(command))} cannot be read: {error}") from None
        if not words:
            raise EngineError("an engine's command is empty; it is the name of a program, with its arguments")
        #: The name of the program in messages.
        self.name = Path(words[0]).name
        #: The deadline of the next line, in seconds of `time.monotonic`; `None` for no deadline.
        self._deadline: float | None = None
        self._lines: collections.deque[str] = collections.deque(maxlen=MAX_WAITING)
        self._last_errors: collections.deque[str] = collections.deque(maxlen=3)
        self._news = threading.Condition()
        self._writing = threading.Lock()
        self._ended = False
        self._killed = False
        try:
            # In its own group Ctrl-C does not reach the program: the caller decides when it ends. It stays in our
            # session, since Linux divides the processor among sessions: our engine and it are to get the same.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"cannot start {shorten(words[0])}: {why}") from None
        assert isinstance(self._process.stdin, io.BufferedWriter)
        self._input = self._process.stdin.raw
        if os.name != "nt":  # in Windows, pipes that do not block refuse lines longer than their buffer
            os.set_blocking(self._input.fileno(), False)
        _programs.add(self)
        self._readers = [
            threading.Thread(target=self._listen, args=arguments, daemon=True)
            for arguments in (
                (self._process.stdout, self._add_line),
                (self._process.stderr, self._last_errors.append),
            )
        ]
        for reader in self._readers:
            reader.start()

    def send(self, line: str, seconds: float | None = None) -> None:
        """Send a line to the program.

        :param seconds: how long the program may take to read it; by default :data:`MAX_SENDING`. After that it is
            killed, since half a line may have been read.
        :raises EngineError: if the program has closed its input or does not read, or the text is more than one line.
        """
        if "\n" in line or "\r" in line:
            raise EngineError(f"{self.name} is spoken to in single lines; {shorten(line)} has a line break")
        seconds = MAX_SENDING if seconds is None else seconds
        try:
            with self._writing:
                read = self._write(line.encode(errors="surrogateescape") + b"\n", time.monotonic() + seconds)
        except (OSError, ValueError):
            raise self._ended_error(f"{shorten(line)} was sent to it") from None
        if not read:
            self.kill()
            raise EngineError(f"{self.name} did not read {shorten(line)} within {seconds:g} s; it was killed")

    def _write(self, data: bytes, deadline: float) -> bool:
        """Write to the program; return whether it has taken everything by the deadline."""
        while True:
            data = data[self._input.write(data) or 0 :]
            if not data or time.monotonic() >= deadline:
                return not data
            time.sleep(0.01)

    def read(self, expected: str) -> str | None:
        """Read a line from the program; ``None`` if none has come by the deadline.

        :param expected: what should come, for the error message.
        :raises EngineError: if the program has ended.
        """
        with self._news:
            while True:
                left = None if self._deadline is None else self._deadline - time.monotonic()
                if left is not None and left <= 0:  # even if the program keeps printing
                    return None
                if self._lines:
                    return self._lines.popleft()
                if self._ended:
                    break
                self._news.wait(left)
        raise self._ended_error(f"{expected} was expected")

    def wait_at_most(self, seconds: float | None) -> None:
        """Set the deadline of the next lines, in seconds from now, also for a thread that is already waiting."""
        with self._news:
            self._deadline = None if seconds is None else time.monotonic() + seconds
            self._news.notify_all()

    def processor_time(self) -> float | None:
        """Return the seconds of processor time that the program has used, with the programs that it has started.

        ``None`` where the system does not tell: only Linux does.
        """
        return _processor_time(self._process.pid)

    def close(self, grace: float) -> None:
        """Ask the program to quit, and kill it if it has not ended after ``grace`` seconds."""
        with suppress(EngineError):
            self.send("quit", grace)
        assert self._process.stdin is not None
        with suppress(OSError), self._writing:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        self.kill()

    def kill(self) -> None:
        """Kill the program at once, with all processes that it has started."""
        if not self._killed:
            self._killed = True
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        for reader in self._readers:
            reader.join(1)

    def _ended_error(self, when: str) -> EngineError:
        """Return an error for a program that has ended, with its exit status and its last lines of standard error."""
        try:
            status = f"exit status {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            status = "its output is closed"
        self._readers[1].join(1)
        errors = f"; its last words: {shorten(' '.join(self._last_errors), 200)}" if self._last_errors else ""
        return EngineError(f"{self.name} ended ({status}) when {when}{errors}")

    def _add_line(self, line: str) -> None:
        with self._news:
            self._lines.append(line)
            self._news.notify_all()

    def _listen(self, stream: IO[bytes], on_line: Callable[[str], None]) -> None:
        whole = True
        with stream, suppress(OSError, ValueError):
            while data := stream.readline(MAX_LINE):
                text = data.decode(errors="replace").strip()
                ended = data.endswith(b"\n")
                # A program that dies may leave half a move.
                cut = stream is self._process.stdout and not ended and len(data) < MAX_LINE
                if whole and text and not cut:
                    on_line(text)
                whole = ended
        if stream is self._process.stdout:
            with self._news:
                self._ended = True
                self._news.notify_all()


#: The programs of this process that still exist.
_programs: weakref.WeakSet[Program] = weakref.WeakSet()


def split_command(text: str, *, windows: bool = os.name == "nt") -> list[str]:
    """Split a command into words as a shell does; in Windows, whose paths have backslashes, these quote nothing.

    :raises ValueError: if a quotation is not closed.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if windows:
        lexer.escape = ""
    return list(lexer)


def _processor_time(pid: int) -> float | None:
    if sys.platform != "linux":
        return None
    try:  # the clock of a process that clock_getcpuclockid(3) makes, which counts threads that have ended too
        seconds = time.clock_gettime(~pid << 3 | 2)
        children = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it has just ended, or there is no such clock
        return None
    return seconds + sum(_processor_time(int(child)) or 0.0 for found in children for child in found)


def kill_all() -> None:
    """Kill all programs, before this process ends without closing them."""
    for program in tuple(_programs):
        with suppress(Exception):  # it may just be starting
            program.kill()


def shorten(text: str, longest: int = 60) -> str:
    """Quote a text from outside, cut if it is long and without terminal control characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return f'"{text}"' if len(text) <= longest else f'"{text[:longest]}..."'
