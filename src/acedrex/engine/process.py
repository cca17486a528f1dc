"""Another program, spoken to in lines over its standard input and output."""

from __future__ import annotations

import collections
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from acedrex.errors import Error

__all__ = ["EngineError", "Program", "shorten"]

#: The longest line that is read; what comes beyond is dropped up to the next line.
MAX_LINE = 16 * 1024
#: The most lines that wait to be read; a program that prints more loses its oldest.
MAX_WAITING = 2000


class EngineError(Error):
    """A program that plays did not do its part. The message tells which, what was expected and what came instead."""


class Program:
    """A running program. What it prints is kept in bounds, and a program that does not answer is killed.

    :param command: the program with its arguments, in one text as a shell reads it, or as words.
    :raises EngineError: if it cannot be started.
    """

    def __init__(self, command: str | Sequence[str]) -> None:
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineError(f"the command {shorten(str(command))} cannot be read: {error}") from None
        if not words:
            raise EngineError("an engine's command is empty; it is the name of a program, with its arguments")
        #: What it is called in messages.
        self.name = Path(words[0]).name
        #: When an answer has to be there, as `time.monotonic` counts; `None` waits for ever.
        self._deadline: float | None = None
        self._lines: collections.deque[str] = collections.deque(maxlen=MAX_WAITING)
        self._last_words: collections.deque[str] = collections.deque(maxlen=3)
        self._news = threading.Condition()
        self._writing = threading.Lock()
        self._ended = False
        self._killed = False
        try:
            # In a session of its own Ctrl-C does not reach it: whoever runs it decides when it ends.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"cannot start {shorten(words[0])}: {why}") from None
        self._readers = [
            threading.Thread(target=self._listen, args=way, daemon=True)
            for way in ((self._process.stdout, self._heard), (self._process.stderr, self._last_words.append))
        ]
        for reader in self._readers:
            reader.start()

    def send(self, line: str) -> None:
        """Say a line.

        :raises EngineError: if the program does not listen any more, or the text is more than a line.
        """
        if "\n" in line or "\r" in line:
            raise EngineError(f"{self.name} is spoken to in single lines; {shorten(line)} has a line break")
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(line.encode(errors="surrogateescape") + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._death(f"{shorten(line)} was said to it") from None

    def read(self, expected: str) -> str | None:
        """Hear a line; ``None`` if none has come by the deadline.

        :param expected: what should come, for the message.
        :raises EngineError: if the program has ended.
        """
        with self._news:
            while True:
                left = None if self._deadline is None else self._deadline - time.monotonic()
                if left is not None and left <= 0:  # also for a program that does not stop talking
                    return None
                if self._lines:
                    return self._lines.popleft()
                if self._ended:
                    break
                self._news.wait(left)
        raise self._death(f"{expected} was expected")

    def wait_at_most(self, seconds: float | None) -> None:
        """Set how long from now the next lines are waited for; it holds for a reader that is waiting already."""
        with self._news:
            self._deadline = None if seconds is None else time.monotonic() + seconds
            self._news.notify_all()

    def close(self, grace: float) -> None:
        """Ask it to quit, and kill it if it has not after some seconds."""
        with suppress(EngineError):
            self.send("quit")
        assert self._process.stdin is not None
        with suppress(OSError), self._writing:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        self.kill()

    def kill(self) -> None:
        """End it at once, with all that it has started."""
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

    def _death(self, when: str) -> EngineError:
        """Say that it has ended, how, and what it said last on its standard error output."""
        try:
            status = f"exit status {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            status = "its output is closed"
        self._readers[1].join(1)
        said = f"; its last words: {shorten(' '.join(self._last_words), 200)}" if self._last_words else ""
        return EngineError(f"{self.name} ended ({status}) when {when}{said}")

    def _heard(self, line: str) -> None:
        with self._news:
            self._lines.append(line)
            self._news.notify_all()

    def _listen(self, stream: IO[bytes], hear: Callable[[str], None]) -> None:
        whole = True
        with stream, suppress(OSError, ValueError):
            while data := stream.readline(MAX_LINE):
                text = data.decode(errors="replace").strip()
                if whole and text:
                    hear(text)
                whole = data.endswith(b"\n")
        if stream is self._process.stdout:
            with self._news:
                self._ended = True
                self._news.notify_all()


def shorten(text: str, longest: int = 60) -> str:
    """Quote something that came from outside, cut if it is long, without characters that steer a terminal."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return f'"{text}"' if len(text) <= longest else f'"{text[:longest]}..."'
