"""A server that measures how long its event loop is held: ``python -m tests.server.held_loop FILE serve ...``.

FILE has eight bytes: the most seconds of processor time, as a double, that anything has held the loop for since they
were last set to zero.
"""

from __future__ import annotations

import asyncio
import mmap
import sys
import time
from pathlib import Path


def main() -> int:
    from acedrex.cli import main as acedrex

    with Path(sys.argv[1]).open("r+b") as file:
        longest = memoryview(mmap.mmap(file.fileno(), 8)).cast("d")
    # Uvicorn then takes the loop of the standard library, which runs everything in handles.
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    run = asyncio.Handle._run

    def run_and_measure(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - began)

    asyncio.Handle._run = run_and_measure  # type: ignore[method-assign]
    return acedrex(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
