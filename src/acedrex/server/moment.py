"""The time, in milliseconds of the epoch. It never goes back within a process."""

from __future__ import annotations

import time

_BEGAN = time.time() - time.monotonic()


def now() -> int:
    """Give the time."""
    return int((_BEGAN + time.monotonic()) * 1000)
