"""Reading commands and following a search at the same time."""

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

__all__ = ["Conversation", "Search", "command_of", "one_line"]

#: The most characters of a line; longer lines are skipped. A game of thousands of moves fits.
LONGEST = 1 << 18
#: The most lines read ahead.
PENDING = 1000


def one_line(text: str) -> str:
    r"""Return a text as one printable line, so that text from outside cannot inject another line.

    >>> one_line("what\nbestmove e2e4")
    'what bestmove e2e4'
    """
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def command_of(line: str) -> tuple[str, str]:
    r"""Return the first word of a line, and the rest of it. Any white space may be between words.

    >>> command_of("go\t depth 2")
    ('go', 'depth 2')
    """
    word, *rest = line.split(maxsplit=1) or [""]
    return word, "".join(rest)


def read_lines(stream: TextIO) -> Iterator[str]:
    """Yield the stripped lines of a stream, skipping those that are too long."""
    whole = True
    while line := stream.readline(LONGEST):
        ended = line.endswith("\n")
        if whole and (ended or len(line) < LONGEST):
            yield line.strip()
        whole = ended


class Search:
    """A search followed in its own thread; it passes its lines on, and ``None`` at its end."""

    def __init__(self, analysis: Analysis, on_info: Callable[[Search, Info | None], None]) -> None:
        self._analysis = analysis
        self._on_info = on_info
        self._result: PlayResult | None = None
        #: Why there is no result.
        self.fault = ""
        #: The last state of the best line.
        self.last: Info | None = None
        #: Whether its end has been handled.
        self.ended = False
        self._thread = threading.Thread(target=self._follow, name="search")
        self._thread.start()

    def _follow(self) -> None:
        try:
            for info in self._analysis:
                self._on_info(self, info)
            self._result = self._analysis.wait()
        except Exception as error:  # reported with the result
            self.fault = f"{type(error).__name__}: {error}"
        finally:
            self._on_info(self, None)

    def stop(self) -> None:
        """Stop the search."""
        self._analysis.stop()

    def ponder_hit(self, limit: Limit) -> None:
        """Continue after the expected turn was played; the limit counts from now on."""
        self._analysis.ponder_hit(limit)

    def finish(self) -> PlayResult | None:
        """Stop the search if it is running, and return its result; ``None`` if it failed."""
        self._analysis.stop()
        self._thread.join()
        return self._result


class Conversation:
    """One side of a protocol: reads commands, and writes what a search finds. Subclasses implement the commands.

    Commands and search events come through one queue and are handled by the thread that called :meth:`run`.
    """

    def __init__(self, lines: TextIO, output: TextIO) -> None:
        self._lines = lines
        self._output = output
        self._events: SimpleQueue[str | tuple[Search, Info | None] | None] = SimpleQueue()
        self._room = threading.Semaphore(PENDING)
        self._saying = threading.Lock()
        self._search: Search | None = None

    def handle(self, line: str) -> None:
        """Execute a command."""
        raise NotImplementedError

    def inform(self, info: Info) -> None:
        """Write a line of the search."""
        raise NotImplementedError

    def conclude(self) -> None:
        """Write the result of a search that has ended by itself."""
        raise NotImplementedError

    def say(self, line: str) -> None:
        """Write one line and flush it, from any thread."""
        # The reader may be gone; the end of the input will tell.
        with self._saying, suppress(OSError, ValueError):
            self._output.write(f"{line}\n")
            self._output.flush()

    def run(self) -> None:
        """Handle commands until ``quit`` or the end of the input."""
        threading.Thread(target=self._read, name="input", daemon=True).start()
        try:
            while (event := self._events.get()) is not None:
                if isinstance(event, str):
                    self._room.release()
                    self.handle(event)
                elif event[0] is self._search:
                    self._handle_info(event[1])
        finally:
            self.close()

    def close(self) -> None:
        """Stop the running search."""
        if self._search is not None:
            self._search.finish()

    def _handle_info(self, info: Info | None) -> None:
        assert self._search is not None
        if info is None:
            self._search.ended = True
            self.conclude()
        else:
            if info.multipv == 1:
                self._search.last = info
            self.inform(info)

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone is the end of the input
            for line in read_lines(self._lines):
                if line == "quit":
                    break
                self._room.acquire()
                self._events.put(line)
        self._events.put(None)

    def start(self, analysis: Analysis) -> None:
        """Follow a search; the previous one must be finished."""
        assert self._search is None
        self._search = Search(analysis, lambda search, info: self._events.put((search, info)))
