"""A process that looks at positions and tells its lines as they come: ``python -m acedrex.server.analyst``.

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
from acedrex.server.analysts import Search, SearchReport

#: How far it gives way to everybody else, those who choose moves for matches too.
NICE = 15
HASH_MB = 64


def lines_of(told: Analysis, search: Search) -> Iterator[SearchReport]:
    """Tell the lines of a search by depth, all that are known each time."""
    white = search.board.turn
    for shown in plain.rounds(told):
        lines = [
            wire.Line(plain.evaluation(info.score, white=white), [move.uci() for move in info.pv], info.pv_san)
            for info in shown
        ]
        yield SearchReport(search.number, shown[0].depth, shown[0].nodes, shown[0].nps, lines)


def main() -> None:
    """Look at what comes in until nothing comes any more."""
    with suppress(AttributeError):  # Windows has no such thing
        os.nice(NICE)
    asked: queue.SimpleQueue[Search] = queue.SimpleQueue()
    lock = threading.Lock()
    running: Analysis | None = None
    current, stopped = 0, 0

    def listen() -> None:
        nonlocal stopped
        while True:
            try:
                heard = pickle.load(sys.stdin.buffer)
            except (EOFError, pickle.UnpicklingError):
                os._exit(0)
            if isinstance(heard, Search):
                asked.put(heard)
                continue
            with lock:
                stopped = heard
                if running is not None and current <= stopped:
                    running.stop()

    threading.Thread(target=listen, daemon=True).start()
    with Engine(hash_mb=HASH_MB) as engine:
        while True:
            search = asked.get()
            with engine.stream(search.board, search.limit, multipv=search.lines) as analysis:
                with lock:
                    running, current = analysis, search.number
                    if current <= stopped:
                        analysis.stop()
                for told in lines_of(analysis, search):
                    write(told)
                with lock:
                    running = None
            write(SearchReport(search.number, done=True))


def write(told: SearchReport) -> None:
    """Write a line."""
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
