"""A process that analyses positions and reports its lines as they come: ``python -m acedrex.server.analysis.worker``.

It reads pickled searches and numbers from the server that started it, and writes lines of JSON. A number stops all
searches up to it, and the end of the input ends the process.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from acedrex import Engine, plain
from acedrex.engine import Analysis
from acedrex.server import wire
from acedrex.server.analysis.pool import Search, SearchReport

#: Its nice value: it gives way to all others, including the processes that play matches.
NICE = 15
HASH_MB = 64


def reports(analysis: Analysis, search: Search) -> Iterator[SearchReport]:
    """Yield the lines of a search depth by depth, all lines known each time."""
    white = search.board.turn
    for infos in plain.rounds(analysis):
        lines = [
            wire.Line(plain.evaluation(info.score, white=white), [move.uci() for move in info.pv], info.pv_san)
            for info in infos
        ]
        yield SearchReport(search.number, infos[0].depth, infos[0].nodes, infos[0].nps, lines)


def main() -> None:
    """Run searches until the input ends."""
    searches: queue.SimpleQueue[Search] = queue.SimpleQueue()
    lock = threading.Lock()
    running: Analysis | None = None
    current, stopped = 0, 0

    def listen() -> None:
        nonlocal stopped
        while True:
            try:
                message = pickle.load(sys.stdin.buffer)
            except (EOFError, pickle.UnpicklingError):
                os._exit(0)
            if isinstance(message, Search):
                searches.put(message)
                continue
            with lock:
                stopped = message
                if running is not None and current <= stopped:
                    running.stop()

    threading.Thread(target=listen, daemon=True).start()
    with Engine(hash_mb=HASH_MB) as engine:
        # On a busy machine the start would take half a minute at that priority.
        with suppress(AttributeError):  # Windows has no such thing
            os.nice(NICE)
        while True:
            search = searches.get()
            with engine.stream(search.board, search.limit, multipv=search.lines) as analysis:
                with lock:
                    running, current = analysis, search.number
                    if current <= stopped:
                        analysis.stop()
                for report in reports(analysis, search):
                    write(report)
                with lock:
                    running = None
            write(SearchReport(search.number, done=True))


def write(report: SearchReport) -> None:
    """Write a report as a line."""
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
