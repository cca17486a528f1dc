"""Schedules Python's garbage collector: young objects often, full collections seldom, since they stop all matches.

Nearly all objects of a server are freed by reference counting; only cycles need the collector, such as requests and
sockets leave behind. By its own schedule it would again and again spend a second on all objects while thousands play.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time

#: Seconds between collections of young objects, each of which takes some milliseconds while thousands play.
YOUNG = 0.1
#: Collections of young objects between two checks of whether a full one is due.
ROUNDS = 20
#: The share of a core in use below which a full collection disturbs nobody.
QUIET = 0.1


async def collect_forever() -> None:
    """Collect garbage forever, in place of Python's own schedule."""
    gc.disable()
    try:
        while True:
            gc.collect()
            left = sys.getallocatedblocks()
            while not is_due(left, sys.getallocatedblocks(), quiet=await _collect_young() < QUIET):
                pass
    finally:
        gc.enable()


def is_due(left: int, now: int, *, quiet: bool) -> bool:
    """Return whether a full collection is due, by how many objects the last one left and how many there are now."""
    return now > (left * 5 // 4 + 100_000 if quiet else left * 4 + 1_000_000)


async def _collect_young() -> float:
    """Collect young objects for a while, and return the share of a core that was in use meanwhile."""
    began, used = time.monotonic(), time.thread_time()
    for _ in range(ROUNDS):
        await asyncio.sleep(YOUNG)
        gc.collect(0)
    return (time.thread_time() - used) / (time.monotonic() - began)
