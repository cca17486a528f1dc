"""Python's garbage collector, which stops all matches while it works: it looks at young objects often and briefly.

Nearly all that a server makes goes as soon as nobody refers to it; only cycles need the collector. A full collection
takes about a second where thousands play, so there is one only when the objects have become twice as many.
"""

from __future__ import annotations

import asyncio
import gc
import sys

#: Objects after which the youngest are looked at, and how often that happens until all but the oldest are.
YOUNG, TIMES, NEVER = 1_000, 5, 2**31 - 1
#: Seconds between two looks at how many objects there are, and how many may come before the first full collection.
LOOK, FEW = 2, 500_000


async def keep_out_of_the_way() -> None:
    """Collect for ever, where Python would do so at the worst of times."""
    # What is there at the start is never garbage.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, TIMES, NEVER)
    most = _most()
    while True:
        await asyncio.sleep(LOOK)
        if sys.getallocatedblocks() > most:
            gc.collect()
            most = _most()


def _most() -> int:
    return 2 * sys.getallocatedblocks() + FEW
