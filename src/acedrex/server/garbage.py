"""Python's garbage collector, which stops all matches while it works: it looks at new objects often, and seldom at all.

Nearly all that a server makes goes as soon as nobody refers to it; only cycles need the collector, such as requests
and sockets leave behind. Left to itself, it would count by how many objects there are, and go through all of them for a
second again and again where thousands play.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time

#: Seconds between two looks at the objects that are new since, which takes some milliseconds where thousands play.
NEW = 0.1
#: Looks after which it is seen whether a full collection is due.
LOOKS = 20
#: Share of a core below which nobody notices a full collection.
QUIET = 0.1


async def keep_out_of_the_way() -> None:
    """Collect for ever, where Python would do so at the worst of times."""
    gc.disable()
    try:
        while True:
            gc.collect()
            kept = sys.getallocatedblocks()
            while not is_due(kept, sys.getallocatedblocks(), quiet=await _looked_at_the_new() < QUIET):
                pass
    finally:
        gc.enable()


def is_due(kept: int, now: int, *, quiet: bool) -> bool:
    """Tell whether a full collection is due, by how many objects the last one left and how many there are."""
    return now > (kept * 5 // 4 + 100_000 if quiet else kept * 4 + 1_000_000)


async def _looked_at_the_new() -> float:
    """Look at new objects for a while; give the share of a core that was busy meanwhile."""
    began, used = time.monotonic(), time.thread_time()
    for _ in range(LOOKS):
        await asyncio.sleep(NEW)
        gc.collect(0)
    return (time.thread_time() - used) / (time.monotonic() - began)
