"""The time, in milliseconds of the epoch. It never goes back within a process."""

from __future__ import annotations

import time

_latest = 0


def now() -> int:
    """Give the time."""
    global _latest
    _latest = max(_latest, time.time_ns() // 1_000_000)
    return _latest
