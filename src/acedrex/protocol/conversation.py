"""Reading lines and hearing a search at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from acedrex.engine.analysis import Analysis
    from acedrex.engine.limit import Limit
    from acedrex.engine.result import Info, PlayResult

__all__ = ["Conversation", "Search", "one_line"]

#: Characters of a line; what is longer is skipped. A game of thousands of moves fits.
LONGEST = 1 << 18
#: Lines read ahead.
PENDING = 1000


def one_line(text: str) -> str:
    r"""Make one printable line of a text: what comes from outside must not pass for another line.

    >>> one_line("what\nbestmove e2e4")
    'what bestmove e2e4'
    """
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def read_lines(stream: TextIO) -> Iterator[str]:
    """Read the lines of a stream without their ends, and none that is too long."""
    whole = True
    while line := stream.readline(LONGEST):
        ended = line.endswith("\n")
        if whole and (ended or len(line) < LONGEST):
            yield line.strip()
        whole = ended


class Search:
    """A search that goes on by itself. What it tells is put into a queue, so that only one thread talks."""

    def __init__(self, analysis: Analysis, heard: Callable[[Search, Info | None], None]) -> None:
        self._analysis = analysis
        self._heard = heard
        self._result: PlayResult | None = None
        #: Why there is no result.
        self.fault = ""
        #: The last word on the best line.
        self.last: Info | None = None
        #: Whether it has told that it came to its end.
        self.ended = False
        self._thread = threading.Thread(target=self._follow, name="search")
        self._thread.start()

    def _follow(self) -> None:
        try:
            for info in self._analysis:
                self._heard(self, info)
            self._result = self._analysis.wait()
        except Exception as error:  # told by whoever asks for the result
            self.fault = f"{type(error).__name__}: {error}"
        finally:
            self._heard(self, None)

    def stop(self) -> None:
        """Let it come to its end at once."""
        self._analysis.stop()

    def ponder_hit(self, limit: Limit) -> None:
        """Say that the expected turn was played: from now on the limit counts."""
        self._analysis.ponder_hit(limit)

    def finish(self) -> PlayResult | None:
        """Stop it if it goes on, and give what it would play; None if it broke down."""
        self._analysis.stop()
        self._thread.join()
        return self._result


class Conversation:
    """One side of a protocol: takes lines, and tells what a search finds. Subclasses know the words.

    Lines and news come through one queue and are handled by the thread that called :meth:`run`.
    """

    def __init__(self, lines: TextIO, output: TextIO) -> None:
        self._lines = lines
        self._output = output
        self._events: SimpleQueue[str | tuple[Search, Info | None] | None] = SimpleQueue()
        self._room = threading.Semaphore(PENDING)
        self._saying = threading.Lock()
        self._search: Search | None = None

    def handle(self, line: str) -> None:
        """Do what a line asks for."""
        raise NotImplementedError

    def inform(self, info: Info) -> None:
        """Tell how far the search has come."""
        raise NotImplementedError

    def conclude(self) -> None:
        """Tell what the search has found: it has come to its end by itself."""
        raise NotImplementedError

    def say(self, line: str) -> None:
        """Write one line at once; any thread may."""
        # Whoever listened may be gone; the end of the input will tell.
        with self._saying, suppress(OSError, ValueError):
            self._output.write(f"{line}\n")
            self._output.flush()

    def run(self) -> None:
        """Talk until the line ``quit`` or the end of the input."""
        threading.Thread(target=self._read, name="input", daemon=True).start()
        try:
            while (event := self._events.get()) is not None:
                if isinstance(event, str):
                    self._room.release()
                    self.handle(event)
                elif event[0] is self._search:
                    self._hear(event[1])
        finally:
            self.close()

    def close(self) -> None:
        """Bring to its end what goes on in threads of its own."""
        if self._search is not None:
            self._search.finish()

    def _hear(self, info: Info | None) -> None:
        assert self._search is not None
        if info is None:
            self._search.ended = True
            self.conclude()
        else:
            if info.multipv == 1:
                self._search.last = info
            self.inform(info)

    def _read(self) -> None:
        for line in read_lines(self._lines):
            if line == "quit":
                break
            self._room.acquire()
            self._events.put(line)
        self._events.put(None)

    def start(self, analysis: Analysis) -> None:
        """Follow a search; the one before must have been finished."""
        assert self._search is None
        self._search = Search(analysis, lambda search, info: self._events.put((search, info)))
